import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, NativeSelect, Radio, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useLayoutEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { LANGUAGES } from '../../../src-main/contract/languages.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import type { Settings as SettingsData, Status } from '../../api/queries.ts'
import { settingsOptions, statusOptions } from '../../api/queries.ts'
import { host } from '../../lib/host.ts'
import { fileSize, i18n, number } from '../../lib/locale.ts'
import { Page } from '../../shared/page.tsx'
import { notify } from '../../ui/notify.tsx'
import { NotLoaded } from '../../ui/placeholders.tsx'
import { Advanced } from './advanced.tsx'
import { BackupSection } from './backup-section.tsx'
import { BookmarkletSection, BrowserSection } from './browser-section.tsx'
import { DesktopSection } from './desktop-section.tsx'
import { LinkSection } from './link-section.tsx'
import { MachinesSection } from './machines-section.tsx'
import { RulesSection } from './rules-section.tsx'
import { Section } from './section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import classes from './settings.module.css'
import { TransferSection } from './transfer-section.tsx'
import { MarkdownFolderSection, WatchedSection } from './watched-section.tsx'

const Help = lazy(() => import('./help.tsx').then((file) => ({ default: file.Help })))

/** The parts of the settings. The address has the name of one. */
const PARTS = {
  general: { name: msg`General`, Content: General },
  rules: { name: msg`Rules`, Content: RulesSection },
  import: { name: msg`Import & backup`, Content: ImportAndBackup },
  machines: { name: msg`Sync`, Content: MachinesSection },
  browser: { name: msg`Browser`, Content: Browser },
  advanced: { name: msg`Advanced`, Content: Advanced },
  help: { name: msg`Help`, Content: Help }
}

type Part = keyof typeof PARTS

const isPart = (name: string | null): name is Part => name !== null && Object.hasOwn(PARTS, name)

/** The page of settings. */
export function Settings() {
  const settings = useQuery(settingsOptions)
  const syncedBy = useQuery(statusOptions).data?.syncedBy
  const [query] = useSearchParams()
  const requested = query.get('part')
  const part = isPart(requested) ? requested : 'general'
  const { Content } = PARTS[part]
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is shown from its top
  useLayoutEffect(() => void window.scrollTo(0, 0), [part])
  return (
    <Page title={t`Settings`}>
      <Parts shown={part} />
      <Stack gap="lg">
        <NotLoaded query={settings} failed={t`The settings could not be read.`} height={240} />
        {syncedBy && (
          <Alert color="red" title={t`${syncedBy} syncs the data folder`}>
            <Trans>
              That program may copy the library while Earmark writes to it, or replace it with a library from another
              computer. You can then lose bookmarks. Move the data folder elsewhere and start Earmark with --data. Copy
              backups to the synced folder instead.
            </Trans>
          </Alert>
        )}
        <Suspense>
          <Content />
        </Suspense>
      </Stack>
    </Page>
  )
}

function Parts({ shown }: { shown: Part }) {
  return (
    <nav className={classes.parts} aria-label={t`Settings`}>
      <ul className="plain">
        {Object.entries(PARTS).map(([part, { name }]) => (
          <li key={part}>
            <Link
              href={part === 'general' ? '/settings' : `/settings?part=${part}`}
              aria-current={part === shown ? 'page' : undefined}
            >
              {i18n._(name)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ImportAndBackup() {
  return (
    <>
      <TransferSection />
      <WatchedSection />
      <MarkdownFolderSection />
      <BackupSection />
    </>
  )
}

function Browser() {
  return (
    <>
      <BrowserSection />
      <SessionsSection />
      <BookmarkletSection />
    </>
  )
}

function General() {
  const settings = useQuery(settingsOptions).data
  const status = useQuery(statusOptions).data
  return (
    <>
      {settings && <Choices settings={settings} status={status} />}
      {host && <DesktopSection host={host} />}
      <LinkSection />
      <Section id="duplicates" title={t`Duplicates`}>
        <Text size="sm">{t`Pages that were saved more than once, under addresses that differ a little, can be merged.`}</Text>
        <Button component={Link} href="/duplicates" variant="default">
          {t`Find duplicates`}
        </Button>
      </Section>
    </>
  )
}

function Choices({ settings, status }: { settings: SettingsData; status: Status | undefined }) {
  const fetches = status?.fetches !== false
  const changing = useChangeSettings()
  const change = (changed: Parameters<typeof changing.mutate>[0]) =>
    changing.mutate(changed, { onSuccess: () => notify(t`Saved.`) })
  return (
    <>
      <Section id="appearance" title={t`Appearance`}>
        <SegmentedControl
          aria-label={t`Theme`}
          data={[
            { value: 'system', label: t`System` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` }
          ]}
          value={settings.theme}
          onChange={(theme) => changing.mutate({ theme: theme as SettingsData['theme'] })}
          style={{ alignSelf: 'flex-start' }}
        />
        <NativeSelect
          label={t`Language`}
          description={
            document.documentElement.lang !== 'en' && t`Translated by machine, help welcome: see CONTRIBUTING.md.`
          }
          data={[{ value: 'system', label: t`System language` }, ...LANGUAGE_OPTIONS]}
          value={settings.language}
          // Reloads, because the texts and dates on the screen are in the language that the page was loaded with.
          onChange={(event) =>
            changing.mutate(
              { language: event.currentTarget.value as SettingsData['language'] },
              { onSuccess: () => location.reload() }
            )
          }
          inputWrapperOrder={['label', 'input', 'description']}
          style={{ alignSelf: 'flex-start' }}
        />
      </Section>
      <Section id="saving" title={t`Saving`}>
        <Radio.Group
          label={t`New bookmarks are`}
          value={settings.defaultVisibility}
          onChange={(value) => change({ defaultVisibility: value === 'public' ? 'public' : 'private' })}
        >
          <Stack gap="sm" mt="sm">
            <Radio value="private" label={t`Private`} description={t`Only you and your own keys see them.`} />
            <Radio value="public" label={t`Public`} description={t`Keys of your organizations see them too.`} />
          </Stack>
        </Radio.Group>
        <Switch
          label={t`Fetch page details`}
          description={
            fetches
              ? t`Titles, descriptions, pictures and texts come from the pages you save. Apart from these requests, and from what you synchronize, nothing leaves this machine.`
              : t`Earmark was started with --no-fetch, so it fetches nothing. Start it without that option to choose here.`
          }
          disabled={!fetches}
          checked={fetches && settings.fetchDetails}
          onChange={(event) => change({ fetchDetails: event.currentTarget.checked })}
        />
        <NativeSelect
          label={t`Copies of pages may take`}
          description={t`“Save a copy of the page” in the browser extension makes them. Used so far: ${fileSize(status?.copies.bytes ?? 0)}.`}
          data={COPY_LIMITS.map((limit) => ({ value: String(limit), label: `${number(limit)} GB` }))}
          value={String(settings.copyLimit)}
          onChange={(event) =>
            change({ copyLimit: COPY_LIMITS.find((limit) => String(limit) === event.currentTarget.value) })
          }
          inputWrapperOrder={['label', 'input', 'description']}
          style={{ alignSelf: 'flex-start' }}
        />
      </Section>
      <Section id="reading" title={t`Reading`}>
        <Switch
          label={t`Open saved text first`}
          description={t`A click on a title opens the text that is stored here, if there is one. With Ctrl or ⌘ it opens the page.`}
          checked={settings.readFirst}
          onChange={(event) => change({ readFirst: event.currentTarget.checked })}
        />
      </Section>
    </>
  )
}

/** The limits for the size of all copies of pages that can be chosen, in GB. */
const COPY_LIMITS: SettingsData['copyLimit'][] = [1, 2, 5, 10, 50]

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))
