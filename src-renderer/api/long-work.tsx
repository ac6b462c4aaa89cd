import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'

const WorkNotice = lazy(() => import('./work-notice.tsx').then((file) => ({ default: file.WorkNotice })))

/** Work that takes less is over before its message could be read, in milliseconds. */
const SHOW_AFTER_MS = 400

interface LongWork<Report> {
  /** The name of the work, as long as it runs. */
  what: string
  /** Whether it can be stopped with what was done until then. */
  stoppable: boolean
  /** Asks for it, by this name. */
  begin(name: string): Promise<Report>
}

/** Has the service do something that may take long, and shows how far it is where it does. */
export async function longWork<Report>({ what, stoppable, begin }: LongWork<Report>): Promise<Report> {
  const name = crypto.randomUUID()
  const showing = setTimeout(() => {
    notifications.show({
      id: name,
      message: (
        <Suspense fallback={what}>
          <WorkNotice name={name} what={what} stoppable={stoppable} />
        </Suspense>
      ),
      autoClose: false,
      withCloseButton: false
    })
  }, SHOW_AFTER_MS)
  try {
    return await begin(name)
  } finally {
    clearTimeout(showing)
    notifications.hide(name)
  }
}
