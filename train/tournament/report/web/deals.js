// Deals as Python packed them: columns of short texts. Here they become hands, steps, tricks and results.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

class Deals {
  constructor(game, columns) {
    Object.assign(this, { game, columns });
    this.numbers = new Map([...game.letters].map((letter, action) => [letter, action]));
    this.byBoard = new Map();
    columns.board.forEach((board, index) => {
      if (!this.byBoard.has(board)) this.byBoard.set(board, []);
      this.byBoard.get(board).push(index);
    });
  }

  text(letter) {
    return this.game.actions[this.numbers.get(letter)];
  }

  written(letters) {
    return [...letters].map((letter) => this.text(letter));
  }

  cards(letters) {
    return [...letters].map((letter) => this.numbers.get(letter));
  }

  // Match points by side at the end of a table: of the one deal, or of all the match.
  final(index) {
    return this.columns.points[index].map((points, side) => points + this.columns.scores[index][side]);
  }

  contract(index) {
    const columns = this.columns;
    if (columns.contract[index] < 0) return null;
    const text = this.game.actions[columns.contract[index]];
    return { text, bidder: columns.bidder[index], contra: columns.contra[index], made: columns.made[index] };
  }

  // A deal step by step: `hands[step]` are the cards that each seat holds before the step.
  replay(index) {
    const { game, columns } = this;
    const deck = this.cards(columns.deck[index]);
    const dealt = game.side.map((_, seat) => deck.slice(seat * game.dealt, (seat + 1) * game.dealt));
    const steps = this.steps(index);
    const moves = Map.groupBy(columns.moved[index] ?? [], ([step]) => step);
    const hands = [dealt];
    steps.forEach((step, number) => hands.push(this.after(hands[number], step, moves.get(number) ?? [])));
    const hidden = new Set(dealt.flatMap((hand) => hand.slice(game.seen)));
    return {
      steps,
      hands,
      down: (step) => (steps[step]?.phase === "auction" ? hidden : new Set()),
      stock: deck.slice(game.side.length * game.dealt),
      winners: [...columns.winners[index]].map(Number),
      worth: columns.worth[index],
    };
  }

  steps(index) {
    const { game, columns } = this;
    return [...columns.actions[index]].map((letter, step) => {
      const phase = game.phases[columns.phases[index][step]];
      return {
        seat: Number(columns.seats[index][step]),
        text: this.text(letter),
        phase,
        card: phase === "play" ? this.numbers.get(letter) : null,
        trick: Number(columns.trick[index][step]),
      };
    });
  }

  // The hands after a step: a card played has left, and those that moved have come to a hand or left it.
  after(hands, { card }, moves) {
    const next = hands.map((hand) => hand.filter((one) => one !== card));
    for (const [, seat, letters] of moves) {
      const moved = this.cards(letters);
      const kept = next[seat].filter((one) => !moved.includes(one));
      next[seat] = [...kept, ...moved.filter((one) => !hands[seat].includes(one))];
    }
    return next;
  }
}
