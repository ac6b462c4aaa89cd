import { type ComponentProps, Suspense } from 'react'
import { late } from '../../../ui/late.tsx'

const Loaded = late(() => import('./panel.tsx').then((file) => file.Panel))

/** Loads the panel: ahead of time, what opens it finds it there. */
export const loadPanel = Loaded.load

/** The panel, which a list does not wait for. */
export function LatePanel(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
