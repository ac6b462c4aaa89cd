import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { TextLayout } from '../../../../src-main/contract/page-details.ts'
import { elementAddress } from '../../../api/client.ts'
import { addressInLetters } from '../../../lib/labels.ts'
import { type Part, partsOfText, type Run, withoutTitle } from './parts-of-text.ts'

interface TextPartsProps {
  /** The bookmark's. */
  id: string
  text: string
  layout: TextLayout | null
  title: string
  /** The pictures that are there, by their places. */
  pictures: number[]
}

/** A stored text as it was set out, below its title. Each part has the direction of its own letters. */
export function TextParts({ id, text, layout, title, pictures }: TextPartsProps) {
  const parts = useMemo(() => withoutTitle(partsOfText(text, layout), title), [text, layout, title])
  const there = useMemo(() => ({ id, pictures }), [id, pictures])
  return <There value={there}>{parts.map(shownPart)}</There>
}

const There = createContext<{ id: string; pictures: number[] }>({ id: '', pictures: [] })

/** A picture of the text, once it is there. */
function TextPicture({ place, alt }: { place: number; alt: string }) {
  const { id, pictures } = useContext(There)
  if (!pictures.includes(place)) return null
  return <img src={elementAddress(`/api/bookmarks/${id}/page/pictures/${place}`)} alt={alt} loading="lazy" />
}

// Keys are places: a text never changes while it is shown.
function shownPart(part: Part, key: number): ReactNode {
  switch (part.kind) {
    case 'heading':
      return shownHeading(part, key)
    case 'list':
      return shownList(part, key)
    case 'table':
      return shownTable(part, key)
    case 'quote':
      return <blockquote key={key}>{part.parts.map(shownPart)}</blockquote>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys
        <pre key={key} tabIndex={0} dir="ltr">
          <code>{part.runs.map(shownRun)}</code>
        </pre>
      )
    case 'picture':
      return <TextPicture key={key} place={part.place} alt={part.alt} />
    case 'page':
      return (
        <div key={key} data-page>
          {t`Page ${part.number}`}
        </div>
      )
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {part.runs.map(shownRun)}
        </p>
      )
  }
}

/** The text's title is the first heading above all of them. */
function shownHeading({ level, runs }: Extract<Part, { kind: 'heading' }>, key: number): ReactNode {
  const Heading = level <= 2 ? 'h2' : level === 3 ? 'h3' : 'h4'
  return (
    <Heading key={key} dir="auto">
      {runs.map(shownRun)}
    </Heading>
  )
}

function shownList({ ordered, start, items }: Extract<Part, { kind: 'list' }>, key: number): ReactNode {
  const shown = items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are places
    <li key={index} dir="auto">
      {item.map(shownPart)}
    </li>
  ))
  return ordered ? (
    <ol key={key} start={start}>
      {shown}
    </ol>
  ) : (
    <ul key={key}>{shown}</ul>
  )
}

function shownTable({ rows }: Extract<Part, { kind: 'table' }>, key: number): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
    <section key={key} data-table aria-label={t`Table`} tabIndex={0}>
      <table>
        <tbody>
          {rows.map(({ isHead, cells }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are places
            <tr key={index}>{cells.map((runs, column) => shownCell(runs, column, isHead))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function shownCell(runs: Run[], column: number, isHead: boolean): ReactNode {
  const Cell = isHead && runs.length > 0 ? 'th' : 'td'
  return (
    <Cell key={column} dir="auto">
      {runs.map(shownRun)}
    </Cell>
  )
}

function shownRun({ text, url }: Run, key: number): ReactNode {
  if (url === undefined) return text
  return (
    <a key={key} href={url} target="_blank" rel="noreferrer noopener" title={addressInLetters(url)}>
      {text}
    </a>
  )
}
