import { t } from '@lingui/core/macro'
import { Button, Chip, Group, PasswordInput, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { statusOptions } from '../../api/queries.ts'
import { editorsOptions } from '../../api/service-queries.ts'
import { i18n } from '../../lib/locale.ts'
import { Command } from '../../ui/command.tsx'
import { IconDownload } from '../../ui/icons/icons.ts'
import { FirstCall, TestConnection } from './connection-check.tsx'
import { connectCommand, EDITORS, type Editor, editorAddress, editorNamedIn } from './editors.ts'
import classes from './keys.module.css'
import { type Connection, SYSTEMS, type System, systemOf } from './snippets.ts'
import { WriteIn } from './write-in.tsx'

interface ConnectEditorProps {
  keyId: string
  /** The name of the key. If it contains an editor's name, that editor is selected first; otherwise the last chosen one. */
  name: string
  /** The first letters of the key, which are not secret. */
  prefix: string
  /** The secret of a new key. For other keys the owner pastes it, and only this component keeps it. */
  secret?: string
  kept: boolean
  /** Whether a parent shows the title already. */
  titled?: boolean
}

/** The ways to connect an editor with a key, and a test whether it works. */
export function ConnectEditor({ keyId, name, prefix, secret, kept, titled = false }: ConnectEditorProps) {
  const status = useQuery(statusOptions)
  const hosts = useQuery({ ...editorsOptions, enabled: kept })
  const [editor, choose] = useChosenEditor(name)
  const [system, setSystem] = useState(systemOf(navigator.userAgent))
  const [pasted, setPasted] = useState('')
  const [awaited, setAwaited] = useState<string>()
  if (!status.data || !editor) return null
  const hasKey = secret !== undefined || isKeyOf(prefix, pasted)
  const key = hasKey ? (secret ?? pasted) : PLACEHOLDER
  const { mcp, program, ownFolder } = status.data
  const connection = { url: editorAddress(mcp), key, keyId, kept, program, ownFolder, system }
  // Also while the editors are loading, because most can be written.
  const isWritable = kept && hosts.data?.some(({ id }) => id === editor.id) !== false
  const awaitCall = () => setAwaited(editor.name)
  const command = (
    <Snippet
      say={
        kept
          ? t`Run this in a terminal to add Earmark to ${editor.name}’s configuration. Add --undo to revert it.`
          : t`Or run this in a terminal, and Earmark changes ${editor.name}’s configuration. Earmark has no copy of this key, so it uses a stored key named ${editor.name}, or creates another one with full access.`
      }
      text={connectCommand(editor, connection)}
      onCopied={kept ? awaitCall : undefined} // otherwise the editor uses another key, and this one is never called
    />
  )
  return (
    <Stack gap="lg" className={classes.connect}>
      {!titled && (
        <Title order={3} size="h6">
          {t`Connect an editor`}
        </Title>
      )}
      <EditorChips label={t`Editor`} value={editor.id} onChange={choose} />
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
        <summary className={classes.otherWays}>{isWritable ? t`Other ways` : t`How to connect ${editor.name}`}</summary>
        <Stack gap="lg" mt="md">
          <SystemChoice value={system} onChange={setSystem} />
          {kept && command}
          <Stack gap="sm">
            <Title order={titled ? 3 : 4} size="sm">
              {t`Configure it yourself`}
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

/** The chosen editor. At first, the one that the key's name contains, otherwise the one that was chosen last. */
function useChosenEditor(keyName: string): [Editor | undefined, (id: string) => void] {
  const [last, setLast] = useLocalStorage({ key: 'earmark-editor', defaultValue: 'vscode' })
  const [chosen, setChosen] = useState(editorNamedIn(keyName)?.id)
  function choose(id: string): void {
    setChosen(id)
    setLast(id)
  }
  return [EDITORS.find(({ id }) => id === (chosen ?? last)) ?? EDITORS[0], choose]
}

/** Placeholder for a key whose secret is unknown. */
const PLACEHOLDER = 'PUT_YOUR_KEY_HERE'

const SYSTEM_NAMES: Partial<Record<System, string>> = { macos: 'macOS', linux: 'Linux', powershell: 'PowerShell' }

/** Chooses the shell for which commands are shown; by default that of this machine. */
function SystemChoice({ value, onChange }: { value: System; onChange: (system: System) => void }) {
  return (
    <Group gap="xs">
      <Text size="sm" id="system-choice">
        {t`Commands for`}
      </Text>
      <SegmentedControl
        size="xs"
        value={value}
        onChange={onChange}
        data={SYSTEMS.map((system) => ({ value: system, label: SYSTEM_NAMES[system] ?? t`Command Prompt` }))}
        aria-labelledby="system-choice"
      />
    </Group>
  )
}

interface ByHandProps {
  editor: Editor
  connection: Connection
  /** Whether the texts contain the key. */
  hasKey: boolean
  /** Called when a text was copied, or sent to the editor. */
  onTaken: () => void
}

/** The texts to paste into an editor, with instructions. */
function ByHand({ editor, connection, hasKey, onTaken }: ByHandProps) {
  const steps = editor.steps(connection)
  const missing = !hasKey && steps.some(({ text }) => text.includes(PLACEHOLDER))
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
          {t`Install in ${editor.name}`}
        </Button>
      )}
      {editor.note && <Text size="sm">{i18n._(editor.note)}</Text>}
      {missing && <Text size="sm">{t`Paste the key above, or put it in place of ${PLACEHOLDER} yourself.`}</Text>}
      {steps.map((step) => (
        <Snippet key={step.text} {...step} onCopied={onTaken} />
      ))}
    </>
  )
}

/** A text to copy, and where to paste it. */
function Snippet({ say, text, onCopied }: { say: string; text: string; onCopied: (() => void) | undefined }) {
  return (
    <div>
      <Text size="sm" mb={6}>
        {say}
      </Text>
      <Command text={text} label={say} onCopied={onCopied} />
    </div>
  )
}

/** A complete key, as the service creates it. */
const COMPLETE_KEY = /^emk_[0-9A-Za-z]{49}$/

interface PastedKeyProps {
  /** The first letters of the key that must be pasted. */
  prefix: string
  value: string
  onChange: (value: string) => void
}

/** Asks for the secret of a key, which is not stored. */
function PastedKey({ prefix, value, onChange }: PastedKeyProps) {
  return (
    <PasswordInput
      label={t`The key`}
      description={t`Paste it to have it filled in below, and to test it. Earmark does not keep it, and uses it for nothing else.`}
      error={faultOf(prefix, value)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      autoComplete="off"
    />
  )
}

/** Whether a text is the complete secret of the key with this prefix. */
function isKeyOf(prefix: string, text: string): boolean {
  return COMPLETE_KEY.test(text) && text.startsWith(prefix)
}

function faultOf(prefix: string, text: string): string | undefined {
  if (text === '' || isKeyOf(prefix, text)) return undefined
  return COMPLETE_KEY.test(text)
    ? t`This is another key: the one you connect with begins with ${prefix}.`
    : t`This key is incomplete: a key is emk_ followed by 49 letters and digits.`
}

interface EditorChipsProps {
  label: string
  /** The id of the chosen editor, or `''`. */
  value: string
  onChange: (id: string) => void
}

/** Chooses one of all editors. */
export function EditorChips({ label, value, onChange }: EditorChipsProps) {
  // With the same name, the chips are one tab stop, and arrows move between them.
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
            styles={{ label: { verticalAlign: 'top' } }} // otherwise the check mark moves the label
          >
            {name}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}
