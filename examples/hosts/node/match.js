// Play a match between bots, you and chance. A host that knows no rules: those are `blot referee`'s.
//
//     node match.js me bots/hard bots/hard bots/hard --seed 7
//     node match.js random http://127.0.0.1:8000/bots/hard --rules duel
//
// One player a seat: `me`, who is asked; `random`; the folder of an exported bot, which is started; or the address of
// one that `blot serve` holds. Plain Node 18 or newer, no packages, so copy what you need (docs/hosts.md).

"use strict";
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const readline = require("node:readline");
const { parseArgs } = require("node:util");

const BLOT = (process.env.BLOT || "blot").split(" "); // the command, where it is not on the path

function fail(message) {
  console.error(message);
  process.exit(1); // what we have started reads the end of its input, and ends
}

// A blot command that answers each line of JSON with one.
class Process {
  constructor(...args) {
    this.name = args.join(" ");
    this.child = spawn(BLOT[0], [...BLOT.slice(1), ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.child.on("error", (error) => fail(`${BLOT[0]}: ${error.message}`));
    this.child.stdin.on("error", () => {}); // it has ended, and reading says so
    this.lines = readline.createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async read() {
    const { value, done } = await this.lines.next();
    if (done) fail(`${this.name}: it has ended`); // it has said why on standard error
    return JSON.parse(value);
  }

  ask(message) {
    this.child.stdin.write(JSON.stringify(message) + "\n");
    return this.read();
  }

  async end() {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, "exit");
  }
}

// A player takes a turn as the referee describes it, and returns an action.

// A bot in a process of its own, asked by lines: docs/bot-protocol.md.
function startedBot(folder) {
  const bot = new Process("bot", folder);
  const choose = async (turn) => {
    const answer = await bot.ask(turn.message);
    if (answer.error) fail(`${folder}: ${answer.error}`);
    return answer.action;
  };
  return { choose, end: () => bot.end() };
}

// A bot that is asked over HTTP: docs/serving.md.
function servedBot(url) {
  const choose = async (turn) => {
    const request = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(turn.message),
      signal: AbortSignal.timeout(60_000),
    };
    for (;;) {
      const answer = await fetch(`${url}/decide`, request).catch((error) => fail(`${url}: ${error.cause || error}`));
      const body = await answer.json();
      if (answer.ok) return body.action;
      if (answer.status !== 429 && answer.status !== 503) fail(`${url}: ${body.error}`); // our mistake
      await new Promise((over) => setTimeout(over, 1000 * answer.headers.get("retry-after"))); // it is busy until then
    }
  };
  return { choose, end: async () => {} };
}

// Whoever sits at the keyboard; an action that the referee refuses is asked for again.
function me() {
  const keyboard = readline.createInterface({ input: process.stdin });
  const lines = keyboard[Symbol.asyncIterator]();
  const choose = async (turn) => {
    console.log(`you hold ${turn.message.hand}, and may: ${turn.actions.slice(0, 40).join(" ")}`);
    process.stdout.write(`${turn.phase}> `);
    const { value, done } = await lines.next();
    if (done) fail("you have left");
    return value.trim();
  };
  return { choose, end: async () => keyboard.close(), mayErr: true };
}

function random() {
  const choose = (turn) => turn.actions[Math.floor(Math.random() * turn.actions.length)];
  return { choose, end: async () => {} };
}

function player(text) {
  if (text === "me") return me();
  if (text === "random") return random();
  return /^https?:/.test(text) ? servedBot(text.replace(/\/$/, "")) : startedBot(text);
}

// Print what a seat is told.
function show(event) {
  if (event.type === "deal") console.log(`deal: seat ${event.dealer} deals, you get ${event.hand}`);
  if (event.type === "action") console.log(`seat ${event.seat}: ${event.action}`, ...(event.announced || []));
  if (event.type === "result") console.log(`result: ${event.result.points}, so ${event.scores}`);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rules: { type: "string", default: "bazar" }, target: { type: "string" }, seed: { type: "string", default: "0" } },
  });
  const target = values.target ? ["--target", values.target] : [];
  const referee = new Process("referee", "--rules", values.rules, "--seed", values.seed, ...target);
  let state = await referee.read();
  if (positionals.length !== state.events.length) {
    fail(`${values.rules} has ${state.events.length} seats: name a player for each`);
  }
  const players = positionals.map(player);
  const own = Math.max(0, positionals.indexOf("me")); // through whose eyes we look

  while (state.turn) {
    state.events[own].forEach(show);
    const { seat } = state.turn;
    const answer = await referee.ask({ seat, action: await players[seat].choose(state.turn) });
    if (!answer.error) {
      state = answer;
    } else if (players[seat].mayErr) {
      console.log(answer.error);
      state.events[own] = []; // nothing has happened
    } else {
      fail(`seat ${seat}: ${answer.error}`);
    }
  }
  state.events[own].forEach(show);
  console.log(`side ${state.winner} wins, ${state.scores.join(" to ")}`);
  await Promise.all([referee, ...players].map((one) => one.end()));
}

main().catch((error) => fail(String(error)));
