// The password is asked for once, however many requests need it, and as soon as the dialog is there.
import { expect, test } from 'vitest';
import { onReauthentication, passwordAgain } from '../../web/src/api.ts';

test('requests that need the password at the same time wait for one answer, also before the dialog is loaded', async () => {
  const early = [passwordAgain(), passwordAgain()];
  const answers: ((isConfirmed: boolean) => void)[] = [];
  onReauthentication(() => new Promise((resolve) => answers.push(resolve)));
  const late = passwordAgain();
  await expect.poll(() => answers.length).toBe(1);
  answers[0]!(true);
  expect(await Promise.all([...early, late])).toEqual([true, true, true]);
  const next = passwordAgain();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!(false);
  expect(await next).toBe(false);
});
