import { type ComponentType, lazy, useState } from 'react'

/**
 * Returns a component whose code is loaded when it is first rendered, or before by `load`. Code that is loaded already is
 * rendered at once: `lazy` alone would wait for a promise, and React would show the fallback for 300 ms.
 */
export function lazyWithPreload<Props extends object>(importComponent: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    loaded = await importComponent()
    return { default: loaded }
  }
  const Lazy: ComponentType<Props> = lazy(load)
  function Preloadable(props: Props) {
    // Stays the same while it is mounted: another component would lose the state.
    const [Loaded] = useState(() => loaded ?? Lazy)
    return <Loaded {...props} />
  }
  return Object.assign(Preloadable, { load })
}
