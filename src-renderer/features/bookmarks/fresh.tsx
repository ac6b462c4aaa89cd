import { plural, t } from '@lingui/core/macro'
import { Box, Button, Transition, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type Hold, refetch, useChange } from '../../api/events.ts'
import { agentName, MARKED_MS } from '../../lib/agents.ts'
import { number } from '../../lib/locale.ts'
import { IconArrowUp } from '../../ui/icons/icons.ts'

interface FreshProps {
  count: number
  /** Announced to screen readers. */
  justSaved?: { count: number; agent: string } | undefined
  onShow: () => void
}

/** Says quietly that there is more at the top. */
export function Fresh({ count, justSaved, onShow }: FreshProps) {
  return (
    <Box pos="absolute" top="0.75rem" left="50%" style={{ zIndex: 2, transform: 'translateX(-50%)' }} role="status">
      <VisuallyHidden>
        {justSaved &&
          t`${plural(justSaved.count, { one: 'One bookmark', other: '# bookmarks' })} saved by ${justSaved.agent}`}
      </VisuallyHidden>
      <Transition mounted={count > 0} transition="slide-down" duration={150}>
        {(style) => (
          <Button
            style={{ ...style, boxShadow: 'var(--mantine-shadow-md)' }}
            size="xs"
            radius="xl"
            leftSection={<IconArrowUp size={14} />}
            aria-label={t`${number(count)} new: show`}
            onClick={onShow}
          >
            {t`${number(count)} new`}
          </Button>
        )}
      </Transition>
    </Box>
  )
}

/**
 * Keeps a list in step with the library. New bookmarks appear at once at the top, unless one has scrolled away: then the
 * list holds its queries, so that nothing moves under a reader.
 */
export function useFresh() {
  const away = useRef(false)
  const held = useRef(false)
  const [count, setCount] = useState(0)
  const { justSaved, noteSaved } = useJustSaved()
  const [hold] = useState<Hold>(() => ({
    isHeld: () => held.current,
    end() {
      held.current = false
      setCount(0)
    }
  }))

  useChange(({ kind, saved = 0, by }) => {
    if (kind !== 'bookmarks') return
    if (saved > 0 && by !== undefined) noteSaved(saved, agentName(by) || t`an agent`)
    if (saved > 0 && away.current) held.current = true
    if (held.current) setCount((now) => now + saved)
  })

  // `refetch` ends the hold.
  const show = () => void refetch(['bookmarks'])

  return {
    /** Number of new bookmarks that are not shown yet. */
    count,
    /** The bookmarks that an agent saved a moment ago. */
    justSaved,
    hold,
    setAway(isAway: boolean) {
      away.current = isAway
      if (!isAway && held.current) show()
    },
    show
  }
}

interface JustSaved {
  count: number
  agent: string
}

/** Collects the bookmarks that an agent saves within some seconds into one message. */
function useJustSaved() {
  const [justSaved, setJustSaved] = useState<JustSaved>()
  function noteSaved(saved: number, agent: string): void {
    setJustSaved((before) => ({ count: (before?.agent === agent ? before.count : 0) + saved, agent }))
  }
  useEffect(() => {
    if (!justSaved) return
    const timer = setTimeout(() => setJustSaved(undefined), MARKED_MS)
    return () => clearTimeout(timer)
  }, [justSaved])
  return { justSaved, noteSaved }
}
