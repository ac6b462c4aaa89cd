import { t } from '@lingui/core/macro'
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { type FormEvent, type ReactNode, useState } from 'react'
import { errorText } from '../lib/problem-text.ts'

interface Question {
  title: string
  /** The effect, and whether it can be undone. */
  text: ReactNode
  /** The verb on the button. */
  action: string
  /** Whether the action cannot be undone. */
  danger?: boolean
}

/** Asks before something that cannot be taken back. Escape, the close button and Cancel answer false. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      resolve(agreed)
      modals.close(id)
    }
    const id = modals.open({
      title: question.title,
      children: <Confirmation question={question} onAnswer={answer} />,
      onClose: () => resolve(false)
    })
  })
}

function Confirmation({ question, onAnswer }: { question: Question; onAnswer: (agreed: boolean) => void }) {
  const { text, action, danger = false } = question

  function submit(event: FormEvent) {
    event.preventDefault()
    onAnswer(true)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {text}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {t`Cancel`}
          </Button>
          <Button type="submit" data-autofocus color={danger ? 'red.9' : undefined}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface NameDialogProps {
  opened: boolean
  title: string
  /** The verb on the button. */
  action: string
  /** The name it has, or may get. */
  name?: string
  /** The message if nothing was typed. */
  missing: string
  onSubmit: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name. */
export function NameDialog({ opened, title, onClose, ...form }: NameDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <NameForm onClose={onClose} {...form} />
    </Modal>
  )
}

function NameForm(props: Omit<NameDialogProps, 'opened' | 'title'>) {
  const { action, name: before = '', missing, onSubmit, onClose } = props
  const [name, setName] = useState(before)
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '') return setFault(missing)
    setBusy(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (error) {
      setFault(errorText(error))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t`Name`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          error={fault}
          maxLength={80}
          autoComplete="off"
          data-autofocus
          required
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
