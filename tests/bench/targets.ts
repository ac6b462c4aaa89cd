/** What a benchmark measured, beside what it is to be. */
export interface Target {
  measured: number
  /** At most so much is well. */
  most?: number
  /** At least so much is well. */
  least?: number
}

/** A target that is missed by less is not told from noise. */
const TOLERANCE = 0.1

/**
 * Prints each target beside what was measured. With `--check` on the command line the process then ends with 1 where
 * one was missed by more than a tenth.
 *
 * @param targets by name, with its unit
 */
export function checkTargets(targets: Record<string, Target>): void {
  console.table(
    Object.fromEntries(
      Object.entries(targets).map(([name, target]) => [
        name,
        { measured: target.measured.toFixed(2), target: shown(target), held: isHeld(target) ? 'yes' : 'no' }
      ])
    )
  )
  const missed = Object.entries(targets).filter(([, target]) => !isHeld(target))
  if (missed.length > 0 && process.argv.includes('--check')) process.exitCode = 1
}

/** Whether it is met, or missed by no more than a tenth. */
function isHeld({ measured, most = Number.POSITIVE_INFINITY, least = 0 }: Target): boolean {
  return measured <= most * (1 + TOLERANCE) && measured >= least * (1 - TOLERANCE)
}

function shown({ most, least }: Target): string {
  return [most !== undefined && `<= ${most}`, least !== undefined && `>= ${least}`].filter(Boolean).join(', ')
}
