import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Notice } from '../shared/notice.tsx'
import { loginCommand } from '../shared/own-folder.ts'
import { askForToken, keepTabToken, openTabChannel } from '../shared/tab-token.ts'
import { session } from '../strings/session.ts'

const strings = session.locked

/** Asks the tab that logged in to let this one in, and says how to go on where there is none. */
export function TabLocked({ onUnlocked }: { onUnlocked: () => void }) {
  const { mutate, data, isPending } = useMutation({
    mutationFn: askForToken,
    onSuccess: (outcome) => outcome === 'given' && onUnlocked()
  })
  useEffect(() => mutate(), [mutate])
  useEffect(() => {
    const channel = openTabChannel((message) => {
      if (message.kind !== 'logged-in') return
      keepTabToken(message.token)
      onUnlocked()
    })
    return channel.close
  }, [onUnlocked])

  const text = isPending ? strings.asking : data === 'refused' ? strings.denied : strings.nobody
  return (
    <Notice title={strings.title} text={text} lead={strings.newLink} command={loginCommand()}>
      <Button onClick={() => mutate()} loading={isPending} style={{ alignSelf: 'flex-start' }}>
        {strings.askOther}
      </Button>
    </Notice>
  )
}
