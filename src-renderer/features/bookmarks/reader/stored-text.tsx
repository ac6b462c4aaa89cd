import { t } from '@lingui/core/macro'
import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lexer, type Token } from 'marked'
import {
  createContext,
  Fragment,
  memo,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo
} from 'react'
import type { ReadingPlace } from '../../../../src-main/contract/bookmark-change.ts'
import { PAGE_START } from '../../../../src-main/contract/page-details.ts'
import { elementAddress, type ShownBookmark } from '../../../api/client.ts'
import { pageTextOptions, textPicturesOptions } from '../../../api/queries.ts'
import { addressInLetters, openable } from '../../../lib/labels.ts'
import { Markdown } from '../../../ui/markdown.tsx'
import { Loading } from '../../../ui/placeholders.tsx'
import { Picture } from '../list/cover.tsx'
import classes from './reader.module.css'
import { readShownText, type ShownText } from './shown-text.ts'

const NO_PICTURES: StoredPicture[] = []

interface PageTextProps {
  bookmark: ShownBookmark
  title: string
  box: RefObject<HTMLDivElement | null>
  /** Called once the text is shown, with its reading place. */
  onShown(place: ReadingPlace | null): void
  /** Called with the shown text, and again whenever it changes. */
  onText(text: ShownText): void
}

/** The text with its pictures. If it has none, the preview of the page is above it. */
export function PageText({ bookmark: { id, preview }, title, box, onShown, onText }: PageTextProps) {
  const { data, error } = useQuery(pageTextOptions(id))
  const hasPictures = data?.isMarkdown === true && data.text.includes('![')
  const pictures = useQuery({ ...textPicturesOptions(id), enabled: hasPictures })
  const stored = pictures.data?.kept ?? NO_PICTURES
  const pending = pictures.isLoading || (pictures.data?.pending ?? false)
  const isShown = data !== undefined
  const callOnShown = useEffectEvent(() => data && onShown(data.place))
  useEffect(() => {
    if (isShown) callOnShown()
  }, [isShown])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shown text depends on these
  useEffect(() => {
    if (box.current) onText(readShownText(box.current))
  }, [data?.text, title, box, onText])
  if (error) return <Alert color="red">{error.message}</Alert>
  if (!data) return <Loading />
  const picture = stored.length > 0 || pending ? null : preview
  return (
    <>
      {picture && <Picture name={picture} className={classes.picture ?? ''} />}
      <div ref={box}>
        <StoredText id={id} text={data.text} isMarkdown={data.isMarkdown} title={title} pictures={stored} />
      </div>
    </>
  )
}

interface StoredPicture {
  url: string
  place: number
}

interface StoredTextProps {
  /** The id of the bookmark. */
  id: string
  text: string
  isMarkdown: boolean
  title: string
  pictures: StoredPicture[]
}

/** A stored text without its title, which is shown above it. */
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

/** Removes the first heading of a text if it is the same as the title. */
export function withoutTitle(tokens: Token[], title: string): Token[] {
  const index = tokens.findIndex(({ type }) => type !== 'space')
  const first = tokens[index]
  const isTitle = first?.type === 'heading' && sameWords(first.text, title)
  return isTitle ? tokens.slice(index + 1) : tokens
}

const sameWords = (heading: string, title: string) => letters(heading) === letters(title)
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Paragraphs, with a line at the start of each page of a document. */
function PlainText({ text }: { text: string }) {
  return text.split(PAGE_START).map((page, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages never change
    <Fragment key={index}>
      {index > 0 && <div data-page>{t`Page ${index + 1}`}</div>}
      {page.split(/\n{2,}/).map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs never change
        <p key={at} dir="auto">
          {paragraph}
        </p>
      ))}
    </Fragment>
  ))
}

const Stored = createContext<{ id: string; pictures: StoredPicture[] }>({ id: '', pictures: [] })

/** A picture of the text, once it is stored. */
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
