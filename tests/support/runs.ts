/** How often, or on what, a property is tried: `npm run test:all -- full` tries the long form. */
export function runs<Short, Full>(short: Short, full: Full): Short | Full {
  return process.env.EARMARK_TEST_FULL ? full : short
}
