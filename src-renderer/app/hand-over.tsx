import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { told } from '../shared/notify.tsx'
import { keepTabToken, openTabChannel, tabToken } from '../shared/tab-token.ts'
import { session } from '../strings/session.ts'

/** Asks the person in this tab, where it has the token, whether another tab of theirs may have it too. */
export function HandOver() {
  const [asking, setAsking] = useState<string>()
  const channel = useRef<ReturnType<typeof openTabChannel>>(undefined)

  useEffect(() => {
    const opened = openTabChannel((message) => {
      if (message.kind === 'ask' && tabToken() !== null) {
        opened.send({ kind: 'heard', id: message.id })
        setAsking(message.id)
      }
      // The browser has another session now, whose tab that is.
      if (message.kind === 'logged-in') keepTabToken(message.token)
      // Answered in a third tab.
      if (message.kind === 'given' || message.kind === 'refused')
        setAsking((id) => (id === message.id ? undefined : id))
    })
    channel.current = opened
    return () => opened.close()
  }, [])

  function answer(allowed: boolean) {
    const token = tabToken()
    if (asking && allowed && token !== null) {
      channel.current?.send({ kind: 'given', id: asking, token })
      told(session.handOver.allowed)
    } else if (asking) channel.current?.send({ kind: 'refused', id: asking })
    setAsking(undefined)
  }

  return (
    <Modal opened={asking !== undefined} onClose={() => answer(false)} title={session.handOver.title}>
      <Stack>
        <Text size="sm">{session.handOver.text}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => answer(false)} data-autofocus>
            {session.handOver.refuse}
          </Button>
          <Button onClick={() => answer(true)}>{session.handOver.allow}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
