import { Kbd, type KbdProps } from '@mantine/core'

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Keys with their labels. `Mod` is Ctrl, or Command on a Mac. */
export function Keys({ keys, ...props }: KbdProps & { keys: string[] }) {
  return keys.map((key) => (
    <Kbd key={key} {...props}>
      {key === 'Mod' ? MOD : key}
    </Kbd>
  ))
}
