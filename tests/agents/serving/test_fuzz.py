"""The server against its own OpenAPI description: whatever is sent, it answers as it promises, and never with a 500."""

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance


@pytest.mark.parametrize("examples", [20, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_any_request_is_answered_as_described(
    client: TestClient, mode: schemathesis.GenerationMode, examples: int
) -> None:
    described = schemathesis.openapi.from_asgi("/openapi.json", client.app)
    operations = [operation.ok() for operation in described.get_all_operations()]
    assert {operation.path for operation in operations} == {"/health", "/bots", "/bots/{name}/decide"}
    negative = mode is schemathesis.GenerationMode.NEGATIVE
    for operation in (operation for operation in operations if operation.body or not negative):

        @given(operation.as_strategy(generation_mode=mode))
        @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
        def answered_as_described(case: schemathesis.Case) -> None:
            answer = case.call()
            excluded = [positive_data_acceptance]  # impossible deals, whose JSON is as the schema says
            if answer.status_code == 413:
                excluded.append(negative_data_rejection)  # which does not take that for a refusal
            case.validate_response(answer, excluded_checks=excluded)

        answered_as_described()
