import { Link } from '@tanstack/react-router';
import {
  BookText,
  Building2,
  ChevronsUpDown,
  CircleUserRound,
  Languages,
  LogOut,
  MenuIcon,
  MonitorX,
  Moon,
  Search,
  Settings,
  Sun,
} from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTexts } from '../language.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuLine } from '../parts/overlay/menu.tsx';
import { useReference } from '../parts/page/reference-link.tsx';
import { usePreference } from '../preferences.ts';
import { useSavePreferences, useSession, useSwitchAccount } from '../session.ts';
import { signOut, signOutEverywhere } from '../sign-out.ts';
import { shellTexts } from '../texts/shell.ts';
import { NotificationBell } from './bell.tsx';

const EnvironmentSwitch = lazy(async () => ({ default: (await import('./environment-switch.tsx')).EnvironmentSwitch }));
const EnvironmentItem = lazy(async () => ({ default: (await import('./environment-switch.tsx')).EnvironmentItem }));

export function TopBar({ onMenu, onPalette }: { readonly onMenu: () => void; readonly onPalette: () => void }) {
  const t = useTexts(shellTexts);
  const { may_use_sandbox } = useSession();
  return (
    <header className="sticky top-(--band) z-30 flex h-14 items-center gap-1.5 border-b border-line bg-card px-2 sm:px-4">
      <IconButton label={t.openMenu} icon={MenuIcon} onClick={onMenu} className="lg:hidden" />
      <AccountSwitch />
      <Suspense>{may_use_sandbox && <EnvironmentSwitch className="max-sm:hidden" />}</Suspense>
      <div className="flex-1" />
      <div className="hidden md:block">
        <Button icon={Search} onClick={onPalette} className="text-text-2">
          <span className="min-w-24 text-start">{t.palette}</span>
          <kbd className="rounded-badge border border-line bg-subtle px-1 font-mono text-11">Ctrl K</kbd>
        </Button>
      </div>
      <IconButton label={t.palette} icon={Search} onClick={onPalette} className="md:hidden" />
      <div className="hidden gap-1.5 sm:flex">
        <LanguageMenu />
        <ThemeMenu />
      </div>
      <NotificationBell />
      <PersonMenu />
    </header>
  );
}

function AccountSwitch() {
  const t = useTexts(shellTexts);
  const { account, accounts, person } = useSession();
  const switchAccount = useSwitchAccount();
  const name = account?.name ?? (person.is_admin ? t.onPlatform : t.noAccount);
  if (accounts.length < 2) {
    return (
      <span className="flex min-w-0 items-center gap-2 px-2 font-medium">
        <Building2 aria-hidden className="size-4 shrink-0 text-text-3" />
        <span className="truncate">{name}</span>
      </span>
    );
  }
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" icon={Building2} className="min-w-0 text-text" aria-label={`${t.switchAccount}: ${name}`}>
          <span className="truncate">{name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0" />
        </Button>
      }
    >
      <MenuChoice
        label={t.switchAccount}
        value={account?.id ?? ''}
        options={accounts.map(({ id, name: label, role }) => ({
          value: id,
          label: (
            <span className="flex flex-1 justify-between gap-4">
              {label} <span className="text-text-3">{t.roles[role]}</span>
            </span>
          ),
        }))}
        onChange={switchAccount}
      />
    </Menu>
  );
}

function LanguageMenu() {
  const t = useTexts(shellTexts);
  return (
    <Menu trigger={<IconButton label={`${t.language}: ${t.languageName}`} icon={Languages} />}>
      <LanguageChoice />
    </Menu>
  );
}

function LanguageChoice() {
  const t = useTexts(shellTexts);
  const locale = usePreference('locale');
  const save = useSavePreferences();
  const options = [
    { value: 'tr', label: <span lang="tr">Türkçe</span> },
    { value: 'en', label: <span lang="en">English</span> },
  ] as const;
  return <MenuChoice label={t.language} value={locale} options={options} onChange={(next) => save({ locale: next })} />;
}

function ThemeMenu() {
  const t = useTexts(shellTexts);
  const theme = usePreference('theme');
  const density = usePreference('density');
  const save = useSavePreferences();
  const densities = (['compact', 'normal', 'comfortable'] as const).map((value) => ({ value, label: t.densities[value] }));
  return (
    <Menu trigger={<IconButton label={`${t.theme}: ${t.themes[theme]}`} icon={theme === 'dark' ? Moon : Sun} />}>
      <ThemeChoice />
      <MenuLine />
      <MenuChoice label={t.density} value={density} options={densities} onChange={(next) => save({ density: next })} />
    </Menu>
  );
}

function ThemeChoice() {
  const t = useTexts(shellTexts);
  const theme = usePreference('theme');
  const save = useSavePreferences();
  const options = (['system', 'light', 'dark'] as const).map((value) => ({ value, label: t.themes[value] }));
  return <MenuChoice label={t.theme} value={theme} options={options} onChange={(next) => save({ theme: next })} />;
}

function PersonMenu() {
  const t = useTexts(shellTexts);
  const reference = useReference();
  const { person, account } = useSession();
  return (
    <Menu trigger={<IconButton label={t.person} icon={CircleUserRound} />}>
      <MenuHeading>
        <span className="block text-13 font-medium text-text">{person.full_name}</span>
        <span className="block wrap-anywhere">{person.email}</span>
        <span className="block">{account ? t.roles[account.role] : person.is_admin ? t.administrator : ''}</span>
      </MenuHeading>
      {/* On a phone the top bar has no room for these. */}
      <div className="sm:hidden">
        <MenuLine />
        <LanguageChoice />
        <ThemeChoice />
        <Suspense>
          <EnvironmentItem />
        </Suspense>
      </div>
      <MenuLine />
      <MenuItem icon={Settings} render={<Link to={'/ayarlar' as '/'} />}>
        {t.settings}
      </MenuItem>
      <MenuItem icon={BookText} href={reference()}>
        {t.reference}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={LogOut} onSelect={signOut}>
        {t.signOut}
      </MenuItem>
      <MenuItem icon={MonitorX} onSelect={signOutEverywhere}>
        {t.signOutEverywhere}
      </MenuItem>
    </Menu>
  );
}
