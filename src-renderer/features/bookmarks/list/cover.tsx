import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { elementAddress, type ShownBookmark } from '../../../api/client.ts'
import { siteInLetters } from '../../../lib/labels.ts'
import { IconPhoto, IconTextCaption } from '../../../ui/icons/icons.ts'
import classes from './cover.module.css'

/** The upper part of a card: the color itself, the picture, or what stands for a site. */
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

/** A bookmark at a glance: its color, its picture, its site's icon or initial, or what kind it is. */
export function Tile({ bookmark: { type, content, domain, icon, preview } }: { bookmark: ShownBookmark }) {
  if (type === 'color') return <Swatch color={content} className={classes.tile} />
  if (type === 'text') {
    return (
      <span className={classes.tile} data-plain>
        <IconTextCaption size={15} stroke={1.6} />
      </span>
    )
  }
  const site = siteInLetters(domain ?? '')
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
      <Picture name={name} className={classes.icon ?? ''}>
        {plain}
      </Picture>
    </span>
  )
}

interface ColorFormsProps {
  color: string
  /** A form that is shown already. */
  title: string
}

/** A color as hex, rgb and oklch, each to be copied with a click. What was typed, until the converter has arrived. */
export function ColorForms({ color, title }: ColorFormsProps) {
  const shown = title.trim().toLowerCase()
  const forms = (useColorForms(color) ?? [color]).filter((form) => form !== shown)
  return forms.map((form) => (
    <button key={form} type="button" tabIndex={-1} data-act="copy" data-value={form} title={t`Copy ${form}`}>
      {form}
    </button>
  ))
}

const converterOptions = queryOptions({
  queryKey: ['color-forms'],
  queryFn: async () => (await import('../color-forms.ts')).colorForms,
  staleTime: Number.POSITIVE_INFINITY
})

/** A color as hex, rgb and oklch; none for what is no color. `undefined` until the converter has been loaded. */
export function useColorForms(color: string): string[] | undefined {
  const { data: convert } = useQuery(converterOptions)
  return convert?.(color)
}

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

/** A color as it is. One that is partly transparent stands on a checkerboard, which shows through. */
function Swatch({ color, className }: { color: string; className: string | undefined }) {
  return (
    <span className={`${className} ${classes.ground}`}>
      {/* As a color, not as a background: an address in it would be fetched. */}
      <span className={classes.color} style={{ backgroundColor: color }} />
    </span>
  )
}

/** A hue for a site, always the same one, in degrees. */
function hueOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) % 360
  return hash
}

/** Returns the letter shown for a site without an icon. */
function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toUpperCase()
}
