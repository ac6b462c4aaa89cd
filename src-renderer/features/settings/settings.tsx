import { Alert, Button, Radio, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Command } from '../../shared/command.tsx'
import { host } from '../../shared/host.ts'
import { notify } from '../../shared/notify.tsx'
import { Page } from '../../shared/page.tsx'
import { type Settings as SettingsData, useChangeSettings, useSettings } from '../../shared/settings-data.ts'
import { useStatus } from '../../shared/status.ts'
import { settings as strings } from '../../strings/settings.ts'
import { shell } from '../../strings/shell.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { BackupSection } from './backup-section.tsx'
import { BookmarkletSection } from './bookmarklet-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { DesktopSection } from './desktop-section.tsx'
import { DoctorSection } from './doctor-section.tsx'
import { HelpSection } from './help-section.tsx'
import { LinkSection } from './link-section.tsx'
import { PortForm } from './port-form.tsx'
import { Section } from './section.tsx'
import classes from './section-index.module.css'
import { SectionIndex } from './section-index.tsx'
import { StatusCard } from './status-card.tsx'
import { TransferSection } from './transfer-section.tsx'
import { WatchedSection } from './watched-section.tsx'

/** The owner's choices, and what runs here. */
export function Settings() {
  const settings = useSettings()
  const status = useStatus()
  return (
    <Page title={shell.settings}>
      <div className={classes.beside}>
        <SectionIndex whole={`${settings.data !== undefined} ${status.data !== undefined}`} />
        <Stack gap="lg">
          <NotLoaded query={settings} failed={strings.failed} height={240} />
          {settings.data && <Choices settings={settings.data} fetches={status.data?.fetches !== false} />}
          {host && <DesktopSection host={host} />}
          <BookmarkletSection />
          {status.data && (
            <>
              <Section id="data" title={strings.data}>
                <Text size="sm">{strings.folderText}</Text>
                <Command text={status.data.dataFolder} label={strings.folder} />
                {status.data.syncedBy !== null && (
                  <Alert color="red" title={strings.synced(status.data.syncedBy)}>
                    {strings.syncedText}
                  </Alert>
                )}
                <Text size="sm">{strings.duplicatesText}</Text>
                <Button component={Link} href="/duplicates" variant="default" style={{ alignSelf: 'flex-start' }}>
                  {strings.duplicates}
                </Button>
              </Section>
              <BrowserSection />
              <LinkSection />
              <TransferSection />
              <WatchedSection />
              <BackupSection />
              <DoctorSection />
              <StatusCard status={status.data} />
              <HelpSection status={status.data} />
            </>
          )}
        </Stack>
      </div>
    </Page>
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
      <Section id="service" title={strings.service}>
        <PortForm key={settings.port} port={settings.port} />
      </Section>
    </>
  )
}
