import { Button, Chip, Group, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { Command } from '../../shared/command.tsx'
import { useStatus } from '../../shared/status.ts'
import { keys } from '../../strings/keys.ts'
import { IconDownload } from '../../ui/icons/icons.ts'
import { EDITORS, editorAddress } from './editors.ts'
import { isKeyOf, PastedKey } from './pasted-key.tsx'
import { TestConnection } from './test-connection.tsx'
import { WriteIn } from './write-in.tsx'

const strings = keys.connect

interface ConnectEditorProps {
  keyId: string
  /** What the key begins with, for everybody to see. */
  prefix: string
  /** Known only while it is shown for the first time; else it is asked for, and forgotten with this component. */
  secret?: string
  kept: boolean
  /** Something around it is its title already. */
  titled?: boolean
}

/** What to paste into which editor, and whether it then works. */
export function ConnectEditor({ keyId, prefix, secret, kept, titled = false }: ConnectEditorProps) {
  const status = useStatus()
  const [chosen, setChosen] = useLocalStorage({ key: 'earmark-editor', defaultValue: 'vscode' })
  const [pasted, setPasted] = useState('')
  const editor = EDITORS.find(({ id }) => id === chosen) ?? EDITORS[0]
  if (!status.data || !editor) return null
  const { mcp, program } = status.data
  const key = secret ?? (isKeyOf(prefix, pasted) ? pasted : undefined)
  const connection = { url: editorAddress(mcp), key: key ?? strings.placeholder, keyId, kept, program }
  const steps = editor.steps(connection)
  const missing = key === undefined && steps.some(({ text }) => text.includes(strings.placeholder))
  return (
    <Stack gap="md">
      {!titled && (
        <Title order={3} size="h6">
          {strings.title}
        </Title>
      )}
      <Chip.Group value={editor.id} onChange={setChosen}>
        <Group gap={6} role="radiogroup" aria-label={strings.editor}>
          {EDITORS.map(({ id, name }) => (
            <Chip key={id} value={id} size="xs" variant="outline">
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {secret === undefined && <PastedKey prefix={prefix} value={pasted} onChange={setPasted} />}
      {kept && <WriteIn key={editor.id} editor={editor} keyId={keyId} />}
      {editor.install && key !== undefined && (
        <Button
          component="a"
          href={editor.install(connection)}
          leftSection={<IconDownload size={16} />}
          variant="light"
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.install(editor.name)}
        </Button>
      )}
      {editor.note && <Text size="sm">{editor.note}</Text>}
      {missing && <Text size="sm">{strings.missing(strings.placeholder)}</Text>}
      {steps.map(({ say, text }) => (
        <div key={text}>
          <Text size="sm" mb={6}>
            {say}
          </Text>
          <Command text={text} label={say} />
        </div>
      ))}
      <TestConnection secret={secret ?? pasted} />
    </Stack>
  )
}
