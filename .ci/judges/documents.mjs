import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the blocks of Markdown files that a shell runs, each with its place. */
export function shellBlocks(files) {
  return files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```(?:sh|bash|shell)\b[^\n]*\n(.*?)^```/gms)].map(({ 1: text, index }, number) => ({
      place: `${file}, block ${number + 1} at character ${index}`,
      text,
    })),
  );
}

const anchorOf = (heading) =>
  heading
    .replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Follows every link of Markdown files to a file or heading of this project, and asks the address of every other one for an answer. */
export async function judgeLinks(files) {
  const remarks = [];
  const addresses = new Map();
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const remark = (message) => remarks.push({ rule: target, place: file, message });
      if (/^https?:/.test(target)) {
        if (!/^https?:\/\/(localhost|127\.)/.test(target)) addresses.set(target, file);
        continue;
      }
      const [path, anchor] = target.split('#');
      const other = path === '' ? file : join(dirname(file), decodeURIComponent(path));
      if (!existsSync(other)) remark('there is no such file');
      else if (anchor && other.endsWith('.md')) {
        const headings = [...readFileSync(other, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
        if (!headings.includes(anchor)) remark('there is no such heading');
      }
    }
  }
  const asked = await Promise.all(
    [...addresses].map(async ([address, file]) => {
      try {
        const { status } = await fetch(address, { signal: AbortSignal.timeout(10_000) });
        return status === 404 || status === 410 ? [{ rule: address, place: file, message: `answers ${status}` }] : [];
      } catch {
        return null;
      }
    }),
  );
  const unreachable = asked.filter((each) => each === null).length;
  if (unreachable > 0) console.log(`links: ${unreachable} of ${asked.length} addresses elsewhere cannot be reached from here`);
  return [...remarks, ...asked.flatMap((each) => each ?? [])];
}
