import { Button, Transition } from '@mantine/core'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { IconArrowUp } from '../../ui/icons/icons.ts'
import classes from './fresh.module.css'

/** Says quietly that there is more at the top. */
export function Fresh({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div className={classes.place} role="status">
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
