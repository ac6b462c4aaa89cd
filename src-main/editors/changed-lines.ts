/** The lines between the first and the last that differ: those that go after `- `, those that come after `+ `. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let same = 0
  while (same < old.length && same < now.length && old[same] === now[same]) same++
  let alike = 0
  while (alike < old.length - same && alike < now.length - same && old.at(-1 - alike) === now.at(-1 - alike)) alike++
  const between = (lines: string[], sign: string) =>
    lines.slice(same, lines.length - alike).map((line) => `${sign} ${line.replace(/\r$/, '')}`)
  return [...between(old, '-'), ...between(now, '+')]
}
