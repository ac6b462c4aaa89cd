import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, NativeSelect, Radio, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useLayoutEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { LANGUAGES } from '../../../src-main/contract/languages.ts'
import { useChangeSettings } from '../../api/mutations.ts'
import type { Settings as SettingsData } from '../../api/queries.ts'
import { type Status, settingsOptions, statusOptions } from '../../api/queries.ts'
import { host } from '../../lib/host.ts'
import { i18n } from '../../lib/locale.ts'
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
import { WatchedSection } from './watched-section.tsx'

const Help = lazy(() => import('./help.tsx').then((file) => ({ default: file.Help })))

const PARTS = ['general', 'rules', 'import', 'machines', 'browser', 'advanced', 'help'] as const

type Part = (typeof PARTS)[number]

/** The owner's choices, and what runs here, in parts of which one is shown. Its address names it. */
export function Settings() {
  const settings = useQuery(settingsOptions)
  const status = useQuery(statusOptions).data
  const [asked] = useSearchParams()
  const part = PARTS.find((name) => name === asked.get('part')) ?? 'general'
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is read from its top
  useLayoutEffect(() => void window.scrollTo(0, 0), [part])
  return (
    <Page title={t`Settings`}>
      <Parts shown={part} />
      <Stack gap="lg">
        <NotLoaded query={settings} failed={t`The settings could not be read.`} height={240} />
        {status?.syncedBy && (
          <Alert color="red" title={t`${status.syncedBy} syncs the data folder`}>
            <Trans>
              That program may copy the library while Earmark writes to it, or replace it with a library from another
              computer. You can then lose bookmarks. Move the data folder elsewhere and start Earmark with --data. Copy
              backups to the synced folder instead.
            </Trans>
          </Alert>
        )}
        {part === 'general' && <General settings={settings.data} status={status} />}
        {part === 'rules' && <RulesSection />}
        {part === 'import' && (
          <>
            <TransferSection />
            <WatchedSection />
            <BackupSection />
          </>
        )}
        {part === 'machines' && <MachinesSection />}
        {part === 'browser' && (
          <>
            <BrowserSection />
            <SessionsSection />
            <BookmarkletSection />
          </>
        )}
        {part === 'help' && (
          <Suspense>
            <Help version={status?.version} />
          </Suspense>
        )}
        {part === 'advanced' && status && <Advanced settings={settings.data} status={status} />}
      </Stack>
    </Page>
  )
}

function Parts({ shown }: { shown: Part }) {
  return (
    <nav className={classes.parts} aria-label={t`Settings`}>
      <ul className="plain">
        {PARTS.map((part) => (
          <li key={part}>
            <Link
              href={part === 'general' ? '/settings' : `/settings?part=${part}`}
              aria-current={part === shown ? 'page' : undefined}
            >
              {i18n._(PART_NAMES[part])}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function General({ settings, status }: { settings: SettingsData | undefined; status: Status | undefined }) {
  return (
    <>
      {settings && <Choices settings={settings} fetches={status?.fetches !== false} />}
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

/** @param fetches whether pages can be fetched at all */
function Choices({ settings, fetches }: { settings: SettingsData; fetches: boolean }) {
  const changing = useChangeSettings()
  const change = (some: Parameters<typeof changing.mutate>[0]) =>
    changing.mutate(some, { onSuccess: () => notify(t`Saved.`) })
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
          // Texts that are on screen, and dates in them, are those of the language the page was loaded with.
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
      </Section>
    </>
  )
}

const LANGUAGE_OPTIONS = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))

const PART_NAMES = {
  general: msg`General`,
  rules: msg`Rules`,
  import: msg`Import & backup`,
  machines: msg`Sync`,
  browser: msg`Browser`,
  advanced: msg`Advanced`,
  help: msg`Help`
}
