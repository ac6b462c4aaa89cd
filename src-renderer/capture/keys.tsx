/** The key that commands are given with. */
export const COMMAND = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** The keys of the window, with their effects. */
export function Keys({ keys }: { keys: string[][] }) {
  return (
    <p className="said keys">
      {keys.map(([key, does]) => (
        <span key={key}>
          <kbd>{key}</kbd> {does}{' '}
        </span>
      ))}
    </p>
  )
}
