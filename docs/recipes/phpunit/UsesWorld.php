<?php

declare(strict_types=1);

/**
 * Gives a PHPUnit test a world of the crossborder-sandbox at SANDBOX_URL, and deletes the world after the test. If the test fails, its
 * message has the story of the world, and the world stays for an hour.
 */
trait UsesWorld
{
    /** @var World[] */
    private array $worlds = [];

    /**
     * Creates a world for this test.
     * @param array{at?: string, scenario?: string, seed?: string, fixtures?: string} $settings
     * @param bool $negative true for a test that misuses the API on purpose: its findings fail no report
     */
    protected function world(array $settings = [], bool $negative = false): World
    {
        $test = $this->toString() . ' ' . count($this->worlds);
        $world = World::create($test, $settings);
        $this->worlds[] = $world;
        if ($negative) {
            $name = substr(preg_replace('/[^ -~]/', ' ', $this->toString()), 0, 200);
            $world->control('PUT', '/test', ['name' => $name, 'negative' => true]);
        }
        return $world;
    }

    protected function runTest(): mixed
    {
        try {
            $result = parent::runTest();
        } catch (PHPUnit\Framework\SkippedTest | PHPUnit\Framework\IncompleteTest $stopped) {
            $this->deleteWorlds();
            throw $stopped;
        } catch (Throwable $failure) {
            // The class and the trace of the failure stay as they are.
            $message = new ReflectionProperty($failure instanceof Error ? Error::class : Exception::class, 'message');
            $stories = array_map(fn (World $world): string => "\n\n" . $world->story(), $this->worlds);
            $message->setValue($failure, $failure->getMessage() . implode('', $stories));
            throw $failure;
        }
        $this->deleteWorlds();
        return $result;
    }

    private function deleteWorlds(): void
    {
        foreach ($this->worlds as $world) {
            $world->control('DELETE', "/worlds/$world->name");
        }
    }
}
