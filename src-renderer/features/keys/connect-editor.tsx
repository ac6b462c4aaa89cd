import { Button, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { Command } from '../../shared/command.tsx'
import { useStatus } from '../../shared/status.ts'
import { keys } from '../../strings/keys.ts'
import { IconDownload } from '../../ui/icons/icons.ts'
import { EditorChips } from './editor-chips.tsx'
import { editorNamedIn } from './editor-named.ts'
import { EDITORS, editorAddress } from './editors.ts'
import { isKeyOf, PastedKey } from './pasted-key.tsx'
import { SystemChoice } from './system-choice.tsx'
import { systemOf } from './systems.ts'
import { TestConnection } from './test-connection.tsx'
import { WriteIn } from './write-in.tsx'

const strings = keys.connect

interface ConnectEditorProps {
  keyId: string
  /** What its owner calls the key: where that names an editor, that one comes first, else the one chosen last. */
  name: string
  /** What the key begins with, for everybody to see. */
  prefix: string
  /** Known only while it is shown for the first time; else it is asked for, and forgotten with this component. */
  secret?: string
  kept: boolean
  /** Something around it is its title already. */
  titled?: boolean
}

/** What to paste into which editor, and whether it then works. */
export function ConnectEditor({ keyId, name, prefix, secret, kept, titled = false }: ConnectEditorProps) {
  const status = useStatus()
  const [last, setLast] = useLocalStorage({ key: 'earmark-editor', defaultValue: 'vscode' })
  const [chosen, setChosen] = useState(editorNamedIn(name)?.id)
  const [system, setSystem] = useState(systemOf(navigator.userAgent))
  const [pasted, setPasted] = useState('')
  const editor = EDITORS.find(({ id }) => id === (chosen ?? last)) ?? EDITORS[0]
  if (!status.data || !editor) return null
  const { mcp, program } = status.data
  const key = secret ?? (isKeyOf(prefix, pasted) ? pasted : undefined)
  const connection = { url: editorAddress(mcp), key: key ?? strings.placeholder, keyId, kept, program, system }
  const steps = editor.steps(connection)
  const missing = key === undefined && steps.some(({ text }) => text.includes(strings.placeholder))
  const choose = (id: string) => {
    setChosen(id)
    setLast(id)
  }
  return (
    <Stack gap="md">
      {!titled && (
        <Title order={3} size="h6">
          {strings.title}
        </Title>
      )}
      <EditorChips label={strings.editor} value={editor.id} onChange={choose} />
      <SystemChoice value={system} onChange={setSystem} />
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
