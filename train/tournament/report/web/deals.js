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
    const columns = this.columns,
      game = this.game,
      seats = [...columns.seats[index]].map(Number);
    const deck = this.cards(columns.deck[index]),
      players = game.side.length;
    let hands = game.side.map((_, seat) => deck.slice(seat * game.dealt, (seat + 1) * game.dealt));
    const hidden = new Set(hands.flatMap((hand) => hand.slice(game.seen)));
    const letters = [...columns.actions[index]],
      phases = [...columns.phases[index]].map((phase) => game.phases[phase]);
    const moved = new Map();
    for (const [step, seat, cards] of columns.moved[index] ?? [])
      moved.set(step, [...(moved.get(step) ?? []), [seat, this.cards(cards)]]);
    const steps = [],
      all = [hands];
    letters.forEach((letter, step) => {
      const playing = phases[step] === "play",
        card = playing ? this.numbers.get(letter) : null;
      steps.push({
        seat: seats[step],
        text: this.text(letter),
        phase: phases[step],
        trick: Number(columns.trick[index][step]),
        card,
      });
      hands = hands.map((hand, seat) => (playing && seat === seats[step] ? hand.filter((one) => one !== card) : hand));
      for (const [seat, cards] of moved.get(step) ?? []) {
        const kept = hands[seat].filter((one) => !cards.includes(one));
        hands = hands.map((hand, other) =>
          other === seat ? [...kept, ...cards.filter((one) => !hand.includes(one))] : hand,
        );
      }
      all.push(hands);
    });
    const ends = (step) =>
      [...hidden].length > 0 && phases.slice(0, step).every((phase) => phase === "auction") && step < letters.length;
    return {
      steps,
      hands: all,
      players,
      stock: deck.slice(players * game.dealt),
      down: (step) => (ends(step) ? hidden : new Set()),
      winners: [...columns.winners[index]].map(Number),
      worth: columns.worth[index],
    };
  }
}
