import { Button, Text } from '@mantine/core'
import { Command } from '../../shared/command.tsx'
import { showShortcuts } from '../../shared/shortcut-sheet.ts'
import type { Status } from '../../shared/status.ts'
import { settings as strings } from '../../strings/settings.ts'
import { Section } from './section.tsx'

/** Where help is, and what nobody has proved here. */
export function HelpSection({ status }: { status: Status }) {
  return (
    <Section id="help" title={strings.help}>
      <Text size="sm">{strings.helpText(status.version)}</Text>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={showShortcuts}>
        {strings.shortcuts}
      </Button>
      <Text size="sm">{strings.logText}</Text>
      <Command text={status.log} label={strings.log} />
      <Text size="sm">{strings.keptText}</Text>
      <Command text={status.dataFolder} label={strings.folder} />
      <div>
        <Text size="sm" fw={550}>
          {strings.unproved}
        </Text>
        <Text size="sm" c="dimmed">
          {strings.unprovedText}
        </Text>
      </div>
    </Section>
  )
}
