/** How often a property is tried: `npm run test:full` tries the long form. */
export function runs(short: number, full: number): number {
  return process.env.EARMARK_TEST_FULL ? full : short
}
