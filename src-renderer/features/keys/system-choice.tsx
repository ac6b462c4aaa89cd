import { Group, SegmentedControl, Text } from '@mantine/core'
import { editors as strings } from '../../strings/editors.ts'
import { SYSTEMS, type System } from './systems.ts'

/** Which shell what is shown is typed into: first the one of this machine. */
export function SystemChoice({ value, onChange }: { value: System; onChange: (system: System) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" id="system-choice">
        {strings.systems}
      </Text>
      <SegmentedControl
        size="xs"
        value={value}
        onChange={onChange}
        data={SYSTEMS.map((system) => ({ value: system, label: strings.system[system] }))}
        aria-labelledby="system-choice"
      />
    </Group>
  )
}
