import { type ComponentProps, Suspense } from 'react'
import { lazyWithPreload } from '../../../ui/lazy-with-preload.tsx'

const Loaded = lazyWithPreload(() => import('./panel.tsx').then((file) => file.Panel))

/** Loads the panel's code before it is needed. */
export const loadPanel = Loaded.load

/** The panel. A list is shown before its code is loaded. */
export function LazyPanel(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
