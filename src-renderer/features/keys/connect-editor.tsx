import { Button, Group, List, PasswordInput, SegmentedControl, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { statusOptions } from '../../api/queries.ts'
import { editorsOptions } from '../../api/service-queries.ts'
import { common } from '../../strings/common.ts'
import { editors } from '../../strings/editors.ts'
import { keys } from '../../strings/keys.ts'
import { Command } from '../../ui/command.tsx'
import { IconCheck, IconDownload, IconPlugConnected, IconX } from '../../ui/icons/icons.ts'
import { EditorChips } from './editor-chips.tsx'
import { type Connection, connectCommand, EDITORS, type Editor, editorAddress, editorNamedIn } from './editors.ts'
import { FirstCall } from './first-call.tsx'
import { useConnectionTest } from './key-data.ts'
import classes from './keys.module.css'
import { SYSTEMS, type System, systemOf } from './systems.ts'
import { WriteIn } from './write-in.tsx'

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
  const status = useQuery(statusOptions)
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

/** As the service makes them; every one begins alike. */
const WHOLE = /^emk_[0-9A-Za-z]{49}$/

interface PastedKeyProps {
  /** The first letters of the key that is meant. */
  prefix: string
  value: string
  onChange: (value: string) => void
}

/** Asks for a key's secret, which is not kept anywhere from here. */
function PastedKey({ prefix, value, onChange }: PastedKeyProps) {
  return (
    <PasswordInput
      label={strings.paste}
      description={strings.pasteText}
      error={faultOf(prefix, value)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      autoComplete="off"
    />
  )
}

/** Whether a text is the whole secret of the key that begins so. */
function isKeyOf(prefix: string, text: string): boolean {
  return WHOLE.test(text) && text.startsWith(prefix)
}

function faultOf(prefix: string, text: string): string | undefined {
  if (text === '' || isKeyOf(prefix, text)) return undefined
  return WHOLE.test(text) ? strings.pastedOther(prefix) : strings.pastedPart
}

/** Connects with a key as an editor would, and says in words what works and what does not. */
function TestConnection({ secret }: { secret: string }) {
  const test = useConnectionTest()
  const report = test.data
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          onClick={() => test.mutate(secret)}
          loading={test.isPending}
          disabled={secret === ''}
        >
          {strings.test}
        </Button>
      </Group>
      <div role="status">
        {test.isPending && <Text size="sm">{strings.testing}</Text>}
        {test.isError && (
          <Text size="sm" c="var(--mantine-color-error)">
            {test.error.message || common.unexpected}
          </Text>
        )}
        {report && !test.isPending && (
          <Stack gap={6}>
            <Text size="sm" fw={600}>
              {report.works ? strings.works : strings.fails}
            </Text>
            <List spacing={4} size="sm" center listStyleType="none">
              {report.checks.map(({ name, ok, message }) => (
                <List.Item
                  key={name}
                  icon={
                    <ThemeIcon
                      size={18}
                      radius="xl"
                      color={ok ? 'teal' : 'red'}
                      variant="light"
                      role="img"
                      aria-label={ok ? strings.passed : strings.failed}
                    >
                      {ok ? <IconCheck size={12} /> : <IconX size={12} />}
                    </ThemeIcon>
                  }
                >
                  {message}
                </List.Item>
              ))}
            </List>
          </Stack>
        )}
      </div>
    </Stack>
  )
}
