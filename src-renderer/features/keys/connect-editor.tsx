import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Command } from '../../shared/command.tsx'
import { useStatus } from '../../shared/status.ts'
import { editors } from '../../strings/editors.ts'
import { keys } from '../../strings/keys.ts'
import { IconDownload } from '../../ui/icons/icons.ts'
import { EditorChips } from './editor-chips.tsx'
import { editorNamedIn } from './editor-named.ts'
import { type Connection, connectCommand, EDITORS, type Editor, editorAddress } from './editors.ts'
import { FirstCall } from './first-call.tsx'
import classes from './keys.module.css'
import { isKeyOf, PastedKey } from './pasted-key.tsx'
import { SYSTEMS, type System, systemOf } from './systems.ts'
import { TestConnection } from './test-connection.tsx'
import { editorsOptions, WriteIn } from './write-in.tsx'

const strings = keys.connect

interface ConnectEditorProps {
  keyId: string
  /** The key's name: if it names an editor, that one comes first, else the one chosen last. */
  name: string
  /** The key's first letters, which are no secret. */
  prefix: string
  /** Known only while it is shown for the first time; else it is asked for, and forgotten with this component. */
  secret?: string
  kept: boolean
  /** Something around it is its title already. */
  titled?: boolean
}

/** The ways to connect an editor with a key, and whether it then works. */
export function ConnectEditor({ keyId, name, prefix, secret, kept, titled = false }: ConnectEditorProps) {
  const status = useStatus()
  const hosts = useQuery({ ...editorsOptions, enabled: kept })
  const [editor, choose] = useChosenEditor(name)
  const [system, setSystem] = useState(systemOf(navigator.userAgent))
  const [pasted, setPasted] = useState('')
  const [awaited, setAwaited] = useState<string>()
  if (!status.data || !editor) return null
  const hasKey = secret !== undefined || isKeyOf(prefix, pasted)
  const key = hasKey ? (secret ?? pasted) : strings.placeholder
  const { mcp, program, ownFolder } = status.data
  const connection = { url: editorAddress(mcp), key, keyId, kept, program, ownFolder, system }
  // Not known yet, it most likely is.
  const isWritable = kept && hosts.data?.some(({ id }) => id === editor.id) !== false
  const awaitCall = () => setAwaited(editor.name)
  const command = (
    <Pasted
      say={kept ? strings.command(editor.name) : strings.commandNewKey(editor.name)}
      text={connectCommand(editor, connection)}
      onCopied={kept ? awaitCall : undefined} // without it, another key will call
    />
  )
  return (
    <Stack gap="lg" className={classes.connect}>
      {!titled && (
        <Title order={3} size="h6">
          {strings.title}
        </Title>
      )}
      <EditorChips label={strings.editor} value={editor.id} onChange={choose} />
      {kept && (
        <WriteIn
          key={editor.id}
          editor={editor}
          keyId={keyId}
          onDone={(isWritten) => setAwaited(isWritten ? editor.name : undefined)}
        />
      )}
      {isWritable && secret !== undefined && <TestConnection secret={secret} />}
      <details open={!isWritable}>
        <summary className={classes.otherWays}>{isWritable ? strings.otherWays : strings.waysOf(editor.name)}</summary>
        <Stack gap="lg" mt="md">
          <SystemChoice value={system} onChange={setSystem} />
          {kept && command}
          <Stack gap="sm">
            <Title order={titled ? 3 : 4} size="sm">
              {strings.byHand}
            </Title>
            {secret === undefined && <PastedKey prefix={prefix} value={pasted} onChange={setPasted} />}
            <ByHand editor={editor} connection={connection} hasKey={hasKey} onTaken={awaitCall} />
          </Stack>
          {!kept && command}
          {secret === undefined && <TestConnection secret={pasted} />}
        </Stack>
      </details>
      {!isWritable && secret !== undefined && <TestConnection secret={secret} />}
      <div role="status" className={classes.awaited}>
        {awaited && <FirstCall key={awaited} keyId={keyId} editor={awaited} />}
      </div>
    </Stack>
  )
}

/** The editor a key's name names until another is chosen, else the one that was chosen last. */
function useChosenEditor(keyName: string): [Editor | undefined, (id: string) => void] {
  const [last, setLast] = useLocalStorage({ key: 'earmark-editor', defaultValue: 'vscode' })
  const [chosen, setChosen] = useState(editorNamedIn(keyName)?.id)
  function choose(id: string): void {
    setChosen(id)
    setLast(id)
  }
  return [EDITORS.find(({ id }) => id === (chosen ?? last)) ?? EDITORS[0], choose]
}

/** Which shell what is shown is typed into: first the one of this machine. */
function SystemChoice({ value, onChange }: { value: System; onChange: (system: System) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" id="system-choice">
        {editors.systems}
      </Text>
      <SegmentedControl
        size="xs"
        value={value}
        onChange={onChange}
        data={SYSTEMS.map((system) => ({ value: system, label: editors.system[system] }))}
        aria-labelledby="system-choice"
      />
    </Group>
  )
}

interface ByHandProps {
  editor: Editor
  connection: Connection
  /** The key stands in what is to be pasted. */
  hasKey: boolean
  /** Something was copied, or sent to the editor. */
  onTaken: () => void
}

/** The texts to paste into an editor, and where they go. */
function ByHand({ editor, connection, hasKey, onTaken }: ByHandProps) {
  const steps = editor.steps(connection)
  const missing = !hasKey && steps.some(({ text }) => text.includes(strings.placeholder))
  return (
    <>
      {editor.install && hasKey && (
        <Button
          component="a"
          href={editor.install(connection)}
          onClick={onTaken}
          leftSection={<IconDownload size={16} />}
          variant="light"
          style={{ alignSelf: 'flex-start' }}
        >
          {strings.install(editor.name)}
        </Button>
      )}
      {editor.note && <Text size="sm">{editor.note}</Text>}
      {missing && <Text size="sm">{strings.missing(strings.placeholder)}</Text>}
      {steps.map((step) => (
        <Pasted key={step.text} {...step} onCopied={onTaken} />
      ))}
    </>
  )
}

/** One thing to copy, and where it goes. */
function Pasted({ say, text, onCopied }: { say: string; text: string; onCopied: (() => void) | undefined }) {
  return (
    <div>
      <Text size="sm" mb={6}>
        {say}
      </Text>
      <Command text={text} label={say} onCopied={onCopied} />
    </div>
  )
}
