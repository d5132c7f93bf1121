// Prints what startSandbox() and createWorld() of the built package take, in milliseconds: medians over several processes.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const program = `
  const { startSandbox } = require(${JSON.stringify(resolve('dist/index.cjs'))});
  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const timed = async (work) => { const from = performance.now(); const made = await work(); return [performance.now() - from, made]; };
  (async () => {
    const [first, sandbox] = await timed(startSandbox);
    const [second, other] = await timed(startSandbox);
    const worlds = async (request) => {
      const times = [];
      for (let round = 0; round < 50; round += 1) times.push((await timed(() => sandbox.createWorld(request)))[0]);
      return median(times);
    };
    const figures = [first, second, await worlds(), await worlds({ fixtures: 'empty' })];
    await Promise.all([sandbox.close(), other.close()]);
    console.log(JSON.stringify(figures));
  })();`;

const rounds = Array.from({ length: 9 }, () => JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' })));
for (const [index, what] of ['first sandbox', 'a further one', 'a world', 'an empty world'].entries()) {
  const times = rounds.map((each) => each[index]).toSorted((a, b) => a - b);
  console.log(`${what.padEnd(15)} ${times[4].toFixed(1).padStart(7)} ms (${times[0].toFixed(1)} to ${times[8].toFixed(1)})`);
}
