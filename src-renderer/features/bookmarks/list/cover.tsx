import { t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { elementAddress, type ShownBookmark } from '../../../api/client.ts'
import { siteInLetters } from '../../../lib/labels.ts'
import { IconPhoto, IconTextCaption } from '../../../ui/icons/icons.ts'
import classes from './cover.module.css'

/** The upper part of a card: the color, the picture, the beginning of the description, or the initial of the site. */
export function Cover({ bookmark }: { bookmark: ShownBookmark }) {
  if (bookmark.preview === null) return <DrawnCover bookmark={bookmark} />
  // A saved image is shown whole. The picture of a page may be cut.
  const whole = bookmark.type === 'image' ? classes.whole : ''
  return (
    <Picture name={bookmark.preview} className={`${classes.cover} ${whole}`}>
      <DrawnCover bookmark={bookmark} />
    </Picture>
  )
}

/** The cover of a bookmark without a stored picture. */
function DrawnCover({ bookmark: { type, content, description, domain, url, title } }: { bookmark: ShownBookmark }) {
  if (type === 'color') return <Swatch color={content} className={classes.cover} />
  if (type === 'image' && isDataImage(url))
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

/** Whether an image is in its address. Others are not loaded, because their sites would get a request. */
function isDataImage(url: string | null): url is string {
  return url?.startsWith('data:image/') === true
}

function fileOf(url: string | null): string {
  const path = url?.split(/[?#]/)[0] ?? ''
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A small square for a bookmark: its color, its picture, the icon or initial of its site, or the icon of its type. */
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
  /** The title, which may already show one of the forms. */
  title: string
}

/** A color as hex, rgb and oklch; a click copies one. Until the converter is loaded, the color as it was typed. */
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

/** Returns a color as hex, rgb and oklch; nothing for a text that is not a color. `undefined` until the converter is loaded. */
export function useColorForms(color: string): string[] | undefined {
  const { data: convert } = useQuery(converterOptions)
  return convert?.(color)
}

interface PictureProps {
  /** The name of a stored picture. */
  name: string
  className: string
  /** Shown if the picture was removed to make room for others. */
  children?: ReactNode
}

/** A stored picture. It has no alternative text, because the title beside it describes it. */
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

/** A color on a checkerboard, which is visible if the color is partly transparent. */
function Swatch({ color, className }: { color: string; className: string | undefined }) {
  return (
    <span className={`${className} ${classes.ground}`}>
      {/* Not `background`, which could contain an address that the browser would fetch. */}
      <span className={classes.color} style={{ backgroundColor: color }} />
    </span>
  )
}

/** Returns the hue of a site, in degrees. */
function hueOf(name: string): number {
  let hash = 0
  for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) % 360
  return hash
}

/** Returns the letter shown for a site without an icon. */
function initialOf(name: string): string {
  return (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '·').toUpperCase()
}
