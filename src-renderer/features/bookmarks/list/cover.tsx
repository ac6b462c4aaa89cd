import type { CSSProperties } from 'react'
import type { ShownBookmark } from '../../../api/client.ts'
import { Picture } from '../../../shared/picture.tsx'
import { Swatch } from '../../../ui/swatch.tsx'
import { hueOf, initialOf } from '../look.ts'
import classes from './cover.module.css'

/** The upper part of a card: the color itself, the text's beginning, the picture, or what stands for a site. */
export function Cover({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.preview === null) return <Drawn bookmark={bookmark} />
  // An image is what was saved, and is shown whole; the picture of a page only stands for it.
  const whole = bookmark.type === 'image' ? classes.whole : ''
  return (
    <Picture name={bookmark.preview} className={`${classes.cover} ${whole}`}>
      <Drawn bookmark={bookmark} />
    </Picture>
  )
}

/** Without a picture of the page. */
function Drawn({ bookmark: { type, content, description, domain, url, title } }: { bookmark: ShownBookmark }) {
  if (type === 'color') return <Swatch color={content} className={classes.cover} />
  if (type === 'text') {
    return (
      <div className={classes.cover} data-text>
        {content.slice(0, 400)}
      </div>
    )
  }
  if (type === 'image' && isHere(url))
    return <img className={`${classes.cover} ${classes.whole}`} src={url} alt={title} loading="lazy" />
  const hue = { '--hue': hueOf(domain ?? '') } as CSSProperties
  if (type === 'image') {
    return (
      <div className={classes.cover} style={hue} data-picture>
        {fileOf(url)}
      </div>
    )
  }
  return description ? (
    <div className={classes.cover} data-text>
      {description.slice(0, 400)}
    </div>
  ) : (
    <div className={classes.cover} style={hue}>
      {initialOf(domain ?? '')}
    </div>
  )
}

/** The page's content policy shows pictures that come with it, and none of other sites: those would learn of it. */
function isHere(url: string | null): url is string {
  return url?.startsWith('data:image/') === true
}

function fileOf(url: string | null): string {
  const path = url?.split(/[?#]/)[0] ?? ''
  return path.slice(path.lastIndexOf('/') + 1)
}
