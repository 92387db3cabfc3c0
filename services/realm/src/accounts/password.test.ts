import { checkPassword, hashPassword, isPassword } from './password';

test.each(['correct horse', 'Tr0ub4dor&3', 'пароль не для всех', '😀'.repeat(3).concat('zq4'), 'x9$kQ'.repeat(20)])(
  'the password %j will do',
  async (password) => {
    await expect(checkPassword(password)).resolves.toBeUndefined();
  },
);

test.each(['', 'aB3$x', '123456', 'password', 'qwertyuiop', 'aaaaaaaaaaaaaaaaaaaa', 'letmein'])(
  'the password %j is too weak',
  async (password) => {
    await expect(checkPassword(password)).rejects.toThrow('The password is too weak.');
    await expect(checkPassword(password, 'New password is too weak!')).rejects.toThrow('New password is too weak!');
  },
);

test('too long passwords are rejected without hashing', async () => {
  await expect(checkPassword('x'.repeat(101))).rejects.toThrow('password is too long (limit: 100 characters)');
});

test('a password is known by its hash', async () => {
  const hash = await hashPassword('correct horse');
  expect(await isPassword('correct horse', hash)).toBe(true);
  expect(await isPassword('correct hors', hash)).toBe(false);
  expect(await isPassword('correct horse', null)).toBe(false);
});
