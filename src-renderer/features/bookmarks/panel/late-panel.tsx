import { type ComponentProps, lazy, Suspense } from 'react'

/** Loads the panel: ahead of time, what opens it finds it there. */
export const loadPanel = () => import('./panel.tsx')

const Loaded = lazy(() => loadPanel().then((file) => ({ default: file.Panel })))

/** The panel, which a list does not wait for. */
export function LatePanel(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
