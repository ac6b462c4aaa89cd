import { Problem } from '../contract/problem.ts'

/** All that a schema found wrong, as one Problem. */
export function invalid({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): Problem {
  return new Problem('invalid', issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}
