import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'

const WorkNotice = lazy(() => import('./work-notice.tsx').then((file) => ({ default: file.WorkNotice })))

/** Time before the notice is shown, in ms. Shorter work ends before it could be read. */
const SHOW_AFTER_MS = 400

interface LongWork<Report> {
  /** The text of the notice. */
  what: string
  /** Whether it can be cancelled. Work that was done before is kept. */
  stoppable: boolean
  /** Starts the work under this name. */
  begin(name: string): Promise<Report>
}

/** Runs work of the service, and shows its progress if it takes long. */
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
