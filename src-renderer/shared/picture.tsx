import { type ReactNode, useState } from 'react'
import { elementAddress } from '../api/client.ts'

interface PictureProps {
  /** Its name among the pictures kept here. */
  name: string
  className: string
  /** Shown where it had to make room for others. */
  children?: ReactNode
}

/** A picture that stands beside its words: it needs none of its own. */
export function Picture({ name, className, children = null }: PictureProps) {
  const [missing, setMissing] = useState<string>()
  if (missing === name) return children
  return (
    <img
      className={className}
      src={elementAddress(`/api/pictures/${name}`)}
      alt=""
      loading="lazy"
      onError={() => setMissing(name)}
    />
  )
}
