import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { FormEvent, ReactNode } from 'react'

interface Question {
  title: string
  /** The effect, and whether it can be undone. */
  text: ReactNode
  /** The verb on the button. */
  action: string
  /** Something is lost for good. */
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
