/** The key that commands are given with. */
export const COMMAND = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** What the keys of the window do. */
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
