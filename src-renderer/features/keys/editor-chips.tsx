import { Chip, Group } from '@mantine/core'
import { useId } from 'react'
import { EDITORS } from './editors.ts'

interface EditorChipsProps {
  /** The name of the choice. */
  label: string
  /** An editor's id, or nothing yet. */
  value: string
  onChange: (id: string) => void
}

/** Every editor there is, one of which is chosen. */
export function EditorChips({ label, value, onChange }: EditorChipsProps) {
  // One stop for Tab; arrows go on within.
  const group = useId()
  return (
    <Chip.Group value={value} onChange={onChange}>
      <Group gap={6} role="radiogroup" aria-label={label}>
        {EDITORS.map(({ id, name }) => (
          <Chip
            key={id}
            name={group}
            value={id}
            size="xs"
            variant="outline"
            styles={{ label: { verticalAlign: 'top' } }} // else the check mark moves it
          >
            {name}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
