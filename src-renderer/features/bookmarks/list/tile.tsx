import type { CSSProperties } from 'react'
import type { ShownBookmark } from '../../../shared/bookmark-data.ts'
import { siteInLetters } from '../../../shared/letters.ts'
import { Picture } from '../../../shared/picture.tsx'
import { IconPhoto, IconTextCaption } from '../../../ui/icons/icons.ts'
import { Swatch } from '../../../ui/swatch.tsx'
import { hueOf, initialOf } from '../look.ts'
import { repositoryOf } from './site-label.ts'
import classes from './tile.module.css'

/** A bookmark at a glance: its color, its picture, its site's icon or initial, or what kind it is. */
export function Tile({ bookmark: { type, content, domain, icon, preview, url } }: { bookmark: ShownBookmark }) {
  if (type === 'color') return <Swatch color={content} className={classes.tile} />
  if (type === 'text') {
    return (
      <span className={classes.tile} data-plain>
        <IconTextCaption size={15} stroke={1.6} />
      </span>
    )
  }
  const site = repositoryOf(url) ?? siteInLetters(domain ?? '')
  const hue = { '--hue': hueOf(site) } as CSSProperties
  const plain = (
    <span className={classes.tile} style={hue}>
      {type === 'image' ? <IconPhoto size={15} stroke={1.6} /> : initialOf(site)}
    </span>
  )
  const name = type === 'image' ? preview : icon
  if (name === null) return plain
  return (
    <span className={classes.tile} data-plain data-filled={type === 'image' || undefined}>
      <Picture name={name} className={classes.picture ?? ''}>
        {plain}
      </Picture>
    </span>
  )
}
