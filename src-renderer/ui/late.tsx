import { type ComponentType, lazy, useState } from 'react'

/**
 * Returns a component whose code is loaded when it is first drawn, or before by `load`. What is there by then is drawn at
 * once: `lazy` alone waits for a promise even then, and React keeps what it shows meanwhile for 300 ms.
 */
export function late<Props extends object>(find: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    loaded = await find()
    return { default: loaded }
  }
  const Waiting: ComponentType<Props> = lazy(load)
  function Late(props: Props) {
    // The same one as long as it is there.
    const [Drawn] = useState(() => loaded ?? Waiting)
    return <Drawn {...props} />
  }
  return Object.assign(Late, { load })
}
