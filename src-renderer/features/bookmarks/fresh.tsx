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

/** A button above the list that shows new bookmarks. */
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
 * Keeps a list up to date. New bookmarks appear at the top at once, unless the user has scrolled away from it: then the
 * list's queries are on hold, so that nothing moves while the user reads.
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
    if (held.current) setCount((before) => before + saved)
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

/** Counts the bookmarks that an agent saves within `MARKED_MS`, so that one message announces them. */
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
