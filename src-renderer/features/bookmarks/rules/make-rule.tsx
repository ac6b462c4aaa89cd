import { Button } from '@mantine/core'
import { startRule } from '../../../shared/rules.ts'
import { rules as strings } from '../../../strings/rules.ts'
import type { View } from '../search/view.ts'
import { ruleOf } from './rule-query.ts'

/** Makes a rule of what the list shows, where something is held back. A narrow window has no room for it: Settings does it too. */
export function MakeRule({ view }: { view: View }) {
  const rule = ruleOf(view)
  if (!rule) return null
  return (
    <Button size="compact-sm" variant="subtle" visibleFrom="xs" onClick={() => startRule(rule)}>
      {strings.makeHere}
    </Button>
  )
}
