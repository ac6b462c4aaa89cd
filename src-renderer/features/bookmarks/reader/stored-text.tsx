import { t } from '@lingui/core/macro'
import { lexer, type Token } from 'marked'
import { createContext, Fragment, memo, type ReactNode, useContext, useMemo } from 'react'
import { PAGE_START } from '../../../../src-main/contract/page-details.ts'
import { elementAddress } from '../../../api/client.ts'
import { addressInLetters, openable } from '../../../lib/labels.ts'
import { Markdown } from '../../../ui/markdown.tsx'

export interface StoredPicture {
  url: string
  place: number
}

interface StoredTextProps {
  /** The bookmark's. */
  id: string
  text: string
  isMarkdown: boolean
  title: string
  /** The pictures that are there. */
  pictures: StoredPicture[]
}

/** A stored text, below its title. */
export const StoredText = memo(({ id, text, isMarkdown, title, pictures }: StoredTextProps) => {
  const stored = useMemo(() => ({ id, pictures }), [id, pictures])
  const tokens = useMemo(() => (isMarkdown ? withoutTitle(lexer(text), title) : []), [text, isMarkdown, title])
  if (!isMarkdown) return <PlainText text={text} />
  return (
    <Stored value={stored}>
      <Markdown tokens={tokens} top={2} Link={TextLink} Picture={TextPicture} />
    </Stored>
  )
})

/** Returns a text without a first heading that only says the title again. */
export function withoutTitle(tokens: Token[], title: string): Token[] {
  const at = tokens.findIndex(({ type }) => type !== 'space')
  const first = tokens[at]
  const isTitle = first?.type === 'heading' && sameWords(first.text, title)
  return isTitle ? tokens.slice(at + 1) : tokens
}

const sameWords = (heading: string, title: string) => letters(heading) === letters(title)
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Paragraphs, and where a document's pages begin. */
function PlainText({ text }: { text: string }) {
  return text.split(PAGE_START).map((page, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages are places
    <Fragment key={index}>
      {index > 0 && <div data-page>{t`Page ${index + 1}`}</div>}
      {page.split(/\n{2,}/).map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs are places
        <p key={at} dir="auto">
          {paragraph}
        </p>
      ))}
    </Fragment>
  ))
}

const Stored = createContext<{ id: string; pictures: StoredPicture[] }>({ id: '', pictures: [] })

/** A picture of the text, once it is there. */
function TextPicture({ url, alt }: { url: string; alt: string }) {
  const { id, pictures } = useContext(Stored)
  const stored = pictures.find((picture) => picture.url === url)
  if (!stored) return null
  return <img src={elementAddress(`/api/bookmarks/${id}/page/pictures/${stored.place}`)} alt={alt} loading="lazy" />
}

function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const url = openable(href)
  if (url === undefined) return children
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" title={addressInLetters(url)}>
      {children}
    </a>
  )
}
