import { Button, Transition, VisuallyHidden } from '@mantine/core'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconArrowUp } from '../../ui/icons/icons.ts'
import classes from './fresh.module.css'

interface FreshProps {
  count: number
  /** Announced to screen readers. */
  justSaved?: { count: number; agent: string } | undefined
  onShow: () => void
}

/** Says quietly that there is more at the top. */
export function Fresh({ count, justSaved, onShow }: FreshProps) {
  return (
    <div className={classes.place} role="status">
      <VisuallyHidden>{justSaved && strings.justSaved(justSaved.count, justSaved.agent)}</VisuallyHidden>
      <Transition mounted={count > 0} transition="slide-down" duration={150}>
        {(style) => (
          <Button
            style={style}
            size="xs"
            radius="xl"
            className={classes.pill ?? ''}
            leftSection={<IconArrowUp size={14} />}
            aria-label={strings.freshLabel(count)}
            onClick={onShow}
          >
            {strings.fresh(count)}
          </Button>
        )}
      </Transition>
    </div>
  )
}
