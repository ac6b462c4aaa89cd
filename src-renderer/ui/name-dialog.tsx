import { t } from '@lingui/core/macro'
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { errorText } from '../lib/problem-text.ts'

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
