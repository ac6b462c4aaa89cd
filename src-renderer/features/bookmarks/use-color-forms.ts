import { useEffect, useState } from 'react'

type Convert = (color: string) => string[]

let convert: Convert | undefined

/** A color as hex, rgb and oklch; none for what is no color. `undefined` until the converter has been loaded. */
export function useColorForms(color: string): string[] | undefined {
  const [ready, setReady] = useState(convert !== undefined)

  useEffect(() => {
    if (ready) return
    let here = true
    import('./color-forms.ts')
      .then((file) => {
        convert = file.colorForms
        if (here) setReady(true)
      })
      .catch(() => {}) // what was typed goes on being shown
    return () => {
      here = false
    }
  }, [ready])

  return ready ? convert?.(color) : undefined
}
