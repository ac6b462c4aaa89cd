import { useChangeSettings, useSettings } from './settings-data.ts'

/** How a place of the sidebar is named among what is pinned. */
export const pinOf = {
  search: (id: string) => `search:${id}`,
  organization: (id: string) => `organization:${id}`,
  tag: (name: string) => `tag:${name}`
}

/** The names pinned to the top of the sidebar, in the order of pinning, and the functions that change them. */
export function usePins() {
  const pins = useSettings().data?.pins ?? []
  const { mutate } = useChangeSettings()
  return {
    pins,
    toggle: (pin: string) => mutate({ pins: pins.includes(pin) ? pins.filter((one) => one !== pin) : [...pins, pin] }),
    /** Keeps what is pinned so under its new name. The old one stays for an undo: what does not exist is not shown. */
    rename(from: string[], to: string) {
      const at = pins.findIndex((pin) => from.includes(pin))
      if (at >= 0 && !pins.includes(to)) mutate({ pins: pins.toSpliced(at, 0, to) })
    }
  }
}
