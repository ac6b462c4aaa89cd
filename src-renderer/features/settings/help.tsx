import { t } from '@lingui/core/macro'
import { Anchor, Button, Group, Text, Typography } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lexer, type Token } from 'marked'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useCopyReport } from '../../api/mutations.ts'
import { statusOptions } from '../../api/queries.ts'
import { openDialog } from '../../shared/dialogs.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Section } from './section.tsx'

/** The documents for users. Each is loaded when it is shown. */
const FILES = import.meta.glob<string>(['../../../docs/*.md', '../../../{CHANGELOG,SECURITY}.md'], {
  query: '?raw',
  import: 'default'
})
const PAGES = new Map(Object.entries(FILES).map(([path, load]) => [/([\w-]+)\.md$/.exec(path)?.[1], load]))

const helpOptions = (name: string) =>
  queryOptions({
    queryKey: ['help', name],
    queryFn: async () => lexer((await PAGES.get(name)?.()) ?? `# ${t`Not found`}`),
    staleTime: Number.POSITIVE_INFINITY
  })

/** The page of help in the address; by default the list of all pages. */
export function Help() {
  const [query] = useSearchParams()
  const name = query.get('page') ?? 'README'
  const page = useQuery(helpOptions(name))
  const isNews = name === 'CHANGELOG'
  return (
    <Section id="help" title={isNews ? t`What’s new` : t`Help`}>
      {name === 'README' ? (
        <Overview />
      ) : (
        <Anchor component={Link} href={addressOf('README')} size="sm">
          {t`All help pages`}
        </Anchor>
      )}
      <NotLoaded query={page} failed={t`This page could not be loaded.`} height={240} />
      {page.data && (
        <Typography fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {renderTokens(isNews ? changesSince(page.data, query.get('since')) : page.data)}
        </Typography>
      )}
    </Section>
  )
}

/** Shown above the list of all pages: the version, and buttons for shortcuts and for the report. */
function Overview() {
  const version = useQuery(statusOptions).data?.version
  const copying = useCopyReport()
  return (
    <>
      {version !== undefined && (
        <Text size="sm">
          {t`This is Earmark ${version}.`}{' '}
          <Anchor component={Link} href={addressOf('CHANGELOG')} inherit>
            {t`What’s new`}
          </Anchor>
        </Text>
      )}
      <Group gap="sm">
        <Button variant="default" onClick={() => openDialog({ kind: 'shortcuts' })}>
          {t`Keyboard shortcuts`}
        </Button>
        <Button variant="default" loading={copying.isPending} onClick={() => copying.mutate()}>
          {t`Copy report`}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t`The report is for a question or a bug: versions, system, counts and the last errors, without titles and addresses.`}
      </Text>
    </>
  )
}

/** Returns the sections of the changelog; with a version, only those after it. */
function changesSince(changelog: Token[], version: string | null): Token[] {
  const versions = changelog.flatMap((token, index) =>
    token.type === 'heading' && token.depth === 2 ? { index, name: /^[\d.]+/.exec(token.text)?.[0] } : []
  )
  return changelog.slice(versions[0]?.index, versions.find(({ name }) => name === version)?.index)
}

// Levels 1 and 2 are the headings of the page and the section.
const renderTokens = (tokens: Token[]) => <Markdown tokens={tokens} top={3} Link={HelpLink} />

const addressOf = (name: string) => `/settings?part=help${name === 'README' ? '' : `&page=${name}`}`

/** A link to another page of help, or to the web. Other links are shown as text. */
function HelpLink({ href, children }: { href: string; children: ReactNode }) {
  const name = /^(?:docs\/|\.\.\/(?!README))?([\w-]+)\.md(#.*)?$/.exec(href)?.[1]
  if (name !== undefined && PAGES.has(name)) {
    return (
      <Anchor component={Link} href={addressOf(name)} inherit>
        {children}
      </Anchor>
    )
  }
  if (!href.startsWith('https://')) return children
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  )
}
