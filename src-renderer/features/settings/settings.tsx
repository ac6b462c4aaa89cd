import { Alert, Button, Radio, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useChangeSettings } from '../../api/mutations.ts'
import type { Settings as SettingsData } from '../../api/queries.ts'
import { type Status, settingsOptions, statusOptions } from '../../api/queries.ts'
import { host } from '../../lib/host.ts'
import { openDialog } from '../../shared/dialogs.ts'
import { Page } from '../../shared/page.tsx'
import { duplicates } from '../../strings/duplicates.ts'
import { settings as strings } from '../../strings/settings.ts'
import { shell } from '../../strings/shell.ts'
import { Command } from '../../ui/command.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { notify } from '../../ui/notify.tsx'
import { BackupSection } from './backup-section.tsx'
import { BookmarkletSection } from './bookmarklet-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { DesktopSection } from './desktop-section.tsx'
import { DoctorSection } from './doctor-section.tsx'
import { LinkSection } from './link-section.tsx'
import { MachinesSection } from './machines-section.tsx'
import classes from './parts.module.css'
import { PortForm } from './port-form.tsx'
import { RulesSection } from './rules-section.tsx'
import { Section } from './section.tsx'
import { StatusCard } from './status-card.tsx'
import { TransferSection } from './transfer-section.tsx'
import { WatchedSection } from './watched-section.tsx'

const PARTS = ['general', 'rules', 'import', 'machines', 'browser', 'advanced'] as const

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
    <Page title={shell.settings}>
      <Parts shown={part} />
      <Stack gap="lg">
        <NotLoaded query={settings} failed={strings.failed} height={240} />
        {status?.syncedBy && (
          <Alert color="red" title={strings.synced(status.syncedBy)}>
            {strings.syncedText}
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
            <BookmarkletSection />
          </>
        )}
        {part === 'advanced' && status && <Advanced settings={settings.data} status={status} />}
      </Stack>
    </Page>
  )
}

function Parts({ shown }: { shown: Part }) {
  return (
    <nav className={classes.parts} aria-label={shell.settings}>
      <ul>
        {PARTS.map((part) => (
          <li key={part}>
            <Link
              href={part === 'general' ? '/settings' : `/settings?part=${part}`}
              aria-current={part === shown ? 'page' : undefined}
            >
              {strings.parts[part]}
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
      <Section id="duplicates" title={duplicates.title}>
        <Text size="sm">{strings.duplicatesText}</Text>
        <Button component={Link} href="/duplicates" variant="default" style={{ alignSelf: 'flex-start' }}>
          {strings.duplicates}
        </Button>
      </Section>
      {status && <HelpSection version={status.version} />}
    </>
  )
}

function Advanced({ settings, status }: { settings: SettingsData | undefined; status: Status }) {
  return (
    <>
      <StatusCard status={status} />
      {settings && (
        <Section id="service" title={strings.service}>
          <PortForm key={settings.port} port={settings.port} />
        </Section>
      )}
      <Section id="data" title={strings.data}>
        <Text size="sm">{strings.folderText}</Text>
        <Command text={status.dataFolder} label={strings.folder} />
        <Text size="sm">{strings.logText}</Text>
        <Command text={status.log} label={strings.log} />
      </Section>
      <DoctorSection />
    </>
  )
}

/** @param fetches whether pages can be fetched at all */
function Choices({ settings, fetches }: { settings: SettingsData; fetches: boolean }) {
  const changing = useChangeSettings()
  const change = (some: Parameters<typeof changing.mutate>[0]) =>
    changing.mutate(some, { onSuccess: () => notify(strings.saved) })
  return (
    <>
      <Section id="appearance" title={strings.appearance}>
        <SegmentedControl
          aria-label={strings.theme}
          data={[
            { value: 'system', label: strings.system },
            { value: 'light', label: strings.light },
            { value: 'dark', label: strings.dark }
          ]}
          value={settings.theme}
          onChange={(theme) => changing.mutate({ theme: theme as SettingsData['theme'] })}
          style={{ alignSelf: 'flex-start' }}
        />
      </Section>
      <Section id="saving" title={strings.saving}>
        <Radio.Group
          label={strings.visibility}
          value={settings.defaultVisibility}
          onChange={(value) => change({ defaultVisibility: value === 'public' ? 'public' : 'private' })}
        >
          <Stack gap="sm" mt="sm">
            <Radio value="private" label={strings.private} description={strings.privateText} />
            <Radio value="public" label={strings.public} description={strings.publicText} />
          </Stack>
        </Radio.Group>
        <Switch
          label={strings.details}
          description={fetches ? strings.detailsText : strings.detailsOff}
          disabled={!fetches}
          checked={fetches && settings.fetchDetails}
          onChange={(event) => change({ fetchDetails: event.currentTarget.checked })}
        />
      </Section>
    </>
  )
}

/** Where help is. */
function HelpSection({ version }: { version: string }) {
  return (
    <Section id="help" title={strings.help}>
      <Text size="sm">{strings.helpText(version)}</Text>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => openDialog({ kind: 'shortcuts' })}>
        {strings.shortcuts}
      </Button>
    </Section>
  )
}
